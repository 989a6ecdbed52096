import { beforeAll, describe, expect, test } from 'vitest'
import { caller, openTestInstance, org, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { signIn } from '../../../../tools/testing/sign-in.ts'
import { Refused } from '../../../kit/model/refusal.ts'
import { makeOneTimePassword } from '../../../kit/server/auth/one-time.ts'
import { callLater } from '../../../kit/server/change/operation.ts'
import { hire, type Newcomer } from './hire.server.ts'

let instance: TestInstance
let orgId: string
beforeAll(async () => {
  instance = await openTestInstance({ env: { CAPTCHA: 'off' } })
  orgId = await org(instance)
})

async function take(newcomer: Omit<Newcomer, 'orgId'>) {
  const { app } = instance
  const { id } = await person(instance)
  const actor = await app.sessions.actor(id)
  if (!actor) throw new Error('nobody hires')
  const call = callLater(app, actor, { language: 'en-US', requestId: 'hire', address: '' })
  const { password, hash } = await makeOneTimePassword()
  const hired = await app.db.write(tx =>
    hire({ app, tx, actor, call, now: call.now }, { ...newcomer, orgId }, { hash }),
  )
  return { ...hired, password }
}

describe('hiring somebody', () => {
  test('gives a number people read, and a password that opens nothing but the change of it', async () => {
    const { id, staffNo, password } = await take({ account: 'lin.daiyu', name: '林黛玉' })
    expect(staffNo).toBe(`S${id.padStart(5, '0')}`)
    const { data: token } = await signIn(instance, 'lin.daiyu', { password })
    const newcomer = caller(instance, id, token)
    expect(await newcomer.get('/auth/userInfo')).toMatchObject({ code: 0, data: { mustChangePassword: true } })
    expect(await newcomer.get('/user/nav')).toMatchObject({ status: 403 })
    const change = { oldPassword: password, password: 'brush and bamboo 3' }
    expect(await newcomer.post('/account/settings-password', change)).toMatchObject({ code: 0 })
    expect(await newcomer.get('/user/nav')).toMatchObject({ code: 0 })
  })

  test('an account that is taken, or that nobody could type, is refused beside its field', async () => {
    await take({ account: 'xue.baochai', name: '薛宝钗' })
    for (const account of ['xue.baochai', 'Xue', '宝钗', 'x', '1abc']) {
      const refused = await take({ account, name: '薛宝钗' }).catch((error: unknown) => error)
      expect(refused, account).toBeInstanceOf(Refused)
      expect(Object.keys((refused as Refused).fields ?? {}), account).toEqual(['account'])
    }
  })
})
