import { beforeAll, describe, expect, test } from 'vitest'
import { enrol } from '../../../../tools/testing/commerce.ts'
import {
  caller,
  cloneDatabase,
  openTestInstance,
  org,
  patiently,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { listen, openSocket } from '../../../../tools/testing/live.ts'
import type { Role } from '../role/model.ts'

const PATH = '/system/user'
const ROLE = '/system/role'
const ORG = '/organisation/department'
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
      expect(await admin.post(`${PATH}/${somebody.id}/${step}`, body)).toMatchObject({ code: 0 })
      // From the answer on: how long the step itself takes, a busy machine decides.
      const begun = performance.now()
      await socket.closed
      expect(performance.now() - begun).toBeLessThan(WITHIN_MS)
      expect(await there.get('/auth/userInfo')).toMatchObject({ code: 4001 })
    },
  )

  test('what a role gives, whose records it shows and where departments stand is in force on the other within a second', async () => {
    const admin = await person(first, { superAdmin: true })
    const roleOf = async (permissions: string[], scope: string) => {
      const body = {
        copyOf: null,
        name: `Role ${scope}`,
        code: `MADE_${scope}`,
        note: '',
        scope,
        orgIds: [],
        permissions,
      }
      return (await admin.post<{ id: string }>(ROLE, body)).data.id
    }
    const edit = async (id: string, more: Partial<Role>) => {
      const { name, note, scope, orgIds, permissions, version } = (await admin.get<Role>(`${ROLE}/${id}`)).data
      return admin.put(`${ROLE}/${id}`, { name, note, scope, orgIds, permissions, version, ...more })
    }
    const [top, below] = [await departmentBelow(), await departmentBelow()]
    const somebody = await person(first, { orgId: top.id })
    const colleague = await person(first, { orgId: below.id })
    await enrol(first, { ownerId: somebody.id })
    await enrol(first, { ownerId: colleague.id })
    const there = caller(second, somebody.id, somebody.token)
    /** How many members somebody sees there; nothing where the list is shut. */
    const seen = async () => (await there.get<{ total: number } | null>('/members/member')).data?.total
    const within = async (change: () => Promise<{ code: number }>, total: number | undefined) => {
      expect(await seen()).not.toBe(total)
      expect(await change()).toMatchObject({ code: 0 })
      await expect.poll(seen, { timeout: WITHIN_MS, interval: 20 }).toBe(total)
    }
    const roleId = await roleOf(['member-list', 'member-list:list'], 'DEPARTMENT_AND_BELOW')
    const assign = (roleIds: string[]) => admin.post(`${PATH}/${somebody.id}/assignRoles`, { roleIds })
    const move = async (parentId: string) => {
      const { version } = (await admin.get<{ version: number }>(`${ORG}/${below.id}`)).data
      return admin.post(`${ORG}/${below.id}/move`, { parentId, afterId: null, version })
    }
    await within(() => assign([roleId]), 1)
    await within(() => move(top.id), 2)
    await within(() => edit(roleId, { scope: 'SELF' }), 1)
    await within(() => edit(roleId, { permissions: ['member-list'] }), undefined)
    await within(() => edit(roleId, { permissions: ['member-list', 'member-list:list'], scope: 'ALL' }), 2)
    await within(() => assign([]), undefined)
    await within(() => assign([roleId]), 2)
    await within(() => admin.post(`${PATH}/${somebody.id}/disable`, REASON), undefined)
  })

  /** Departments of one company, which has no more than one top. */
  let company: { id: string; path: string } | undefined
  const departmentBelow = async () => {
    if (!company) {
      const id = await org(first)
      company = { id, path: `/${id}/` }
    }
    return { id: await org(first, company) }
  }

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
