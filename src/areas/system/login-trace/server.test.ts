import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { employ, signIn } from '../../../../tools/testing/sign-in.ts'
import type { LoginTrace } from './model.ts'

const PATH = '/system/login-trace'
const READS = { 'login-trace': ['list', 'detail', 'forceLogout'] }

let instance: TestInstance
let auditor: Caller
beforeAll(async () => {
  instance = await openTestInstance({ env: { CAPTCHA: 'off' } })
  auditor = await person(instance, { grants: READS })
})

type Row = LoginTrace & { steps: Record<string, { code: string } | null> }
const rowsOf = async (query: string) => (await auditor.get<{ records: Row[] }>(`${PATH}?${query}`)).data.records

describe('the sign-in log', () => {
  test('tells of every attempt who, from where, and how it ended', async () => {
    const { id, account } = await employ(instance)
    await signIn(instance, account, { password: 'wrong', address: '203.0.113.7' })
    const { data: token } = await signIn(instance, account, { address: '203.0.113.7', device: 'Firefox/140 Linux' })
    const [good, bad] = await rowsOf(`account=${account}`)
    expect(bad).toMatchObject({ result: 'CREDENTIALS', staffId: id, address: '203.0.113.7', online: false })
    expect(good).toMatchObject({ result: 'SUCCESS', device: 'Firefox/140 Linux', online: true, endedAt: null })
    instance.clock.forward(60_000)
    await caller(instance, id, token).post('/logout')
    expect((await rowsOf(`account=${account}&result=SUCCESS`))[0]).toMatchObject({
      online: false,
      endedAt: instance.clock.now().toISOString(),
      endReason: 'LOGOUT',
    })
    expect(await rowsOf('address=203.0.113.7&online=true')).toEqual([])
  })

  test('keeps of what is no account its first sign alone: people type their password there, or their number', async () => {
    const address = '203.0.113.8'
    for (const typed of ['Twelve brushes & 3 inks', '13800138000', '李雷', 'nobody.here'])
      await signIn(instance, typed, { address })
    const accounts = (await rowsOf(`address=${address}`)).map(({ account }) => account)
    expect(accounts.toSorted()).toEqual(['1***', 'nobody.here', 't***', '李***'])
  })

  test('one who is online is signed out from it, that device alone', async () => {
    const { id, account } = await employ(instance)
    const [kept, ended] = [await signIn(instance, account), await signIn(instance, account)]
    const [newest] = await rowsOf(`account=${account}&online=true`)
    expect(await auditor.post(`${PATH}/${newest?.id}/forceLogout`)).toMatchObject({ code: 0 })
    expect(await caller(instance, id, ended.data).get('/auth/userInfo')).toMatchObject({ code: 4001 })
    expect(await caller(instance, id, kept.data).get('/auth/userInfo')).toMatchObject({ code: 0 })
    expect((await rowsOf(`account=${account}`))[0]).toMatchObject({ online: false, endReason: 'FORCED' })
    expect(await auditor.post(`${PATH}/${newest?.id}/forceLogout`)).toMatchObject({ code: 4006 })
  })

  test('a super administrator is signed out by nobody lesser', async () => {
    await person(instance, { superAdmin: true })
    const role = await instance.app.db.query
      .selectFrom('role')
      .select('id')
      .where('code', '=', 'SUPER_ADMIN')
      .executeTakeFirstOrThrow()
    const { account } = await employ(instance, { roleId: role.id })
    await signIn(instance, account)
    const [row] = await rowsOf(`account=${account}&online=true`)
    expect(row?.steps.forceLogout).toMatchObject({ code: 'system/user:only-by-admin' })
    expect(await auditor.post(`${PATH}/${row?.id}/forceLogout`)).toMatchObject({ code: 4006 })
  })
})
