import { beforeAll, describe, expect, test } from 'vitest'
import {
  caller,
  cloneDatabase,
  openTestInstance,
  patiently,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { listen, openSocket } from '../../../../tools/testing/live.ts'

const PATH = '/system/user'
const REASON = { reason: 'left the company' }
const WITHIN_MS = 1_000

describe('two instances on one database', () => {
  let first: TestInstance
  let second: TestInstance
  let host: string
  beforeAll(async () => {
    const { url } = await cloneDatabase()
    first = await openTestInstance({ url })
    second = await openTestInstance({ url })
    host = await listen(second)
  })

  test.each(['disable', 'resetPassword', 'forceLogout'])(
    '%s ends sessions and sockets on the other within a second',
    async step => {
      const admin = await person(first, { superAdmin: true })
      const somebody = await person(first)
      const there = caller(second, somebody.id, somebody.token)
      expect(await there.get('/auth/userInfo')).toMatchObject({ code: 0 })
      const socket = await openSocket(host, somebody.token)
      const body = step === 'forceLogout' ? {} : REASON
      const begun = performance.now()
      expect(await admin.post(`${PATH}/${somebody.id}/${step}`, body)).toMatchObject({ code: 0 })
      await socket.closed
      expect(performance.now() - begun).toBeLessThan(WITHIN_MS)
      expect(await there.get('/auth/userInfo')).toMatchObject({ code: 4001 })
    },
  )

  test('of two super administrators who shut each other out at once, one is left', async () => {
    await first.app.db.query.deleteFrom('staff_role').execute()
    const [one, two] = [await person(first, { superAdmin: true }), await person(first, { superAdmin: true })]
    const elsewhere = caller(second, two.id, two.token)
    const answers = await Promise.all([
      patiently(() => one.post(`${PATH}/${two.id}/disable`, REASON)),
      patiently(() => elsewhere.post(`${PATH}/${one.id}/assignRoles`, { roleIds: [] })),
    ])
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    const left = await first.app.db.query
      .selectFrom('staff_role as sr')
      .innerJoin('staff as p', 'p.id', 'sr.staff_id')
      .select('p.id')
      .where('p.status', '=', 'ENABLED')
      .execute()
    expect(left).toHaveLength(1)
  })
})
