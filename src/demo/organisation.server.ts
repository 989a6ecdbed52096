import { sql } from 'kysely'
import { dayOf } from '#kit/model/time.ts'
import { demoAccountOf } from '#kit/server/auth/demo-account.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { adultName, type Gender, PHONES, phoneAt, pinyinOf, type Random, spellingOf } from './builders.server.ts'
import { idOf, idsBy, insertRows } from './insert-rows.server.ts'
import { ROLE_CODES, type Role, type RoleCode } from './roles.server.ts'

type Department = { readonly code: string; readonly name: string; readonly under: string | null }

const DEPARTMENTS: readonly Department[] = [
  { code: 'COMPANY', name: '砚台书写', under: null },
  { code: 'SALES_CENTRE', name: '销售中心', under: 'COMPANY' },
  { code: 'SALES_TEAM_1', name: '销售一组', under: 'SALES_CENTRE' },
  { code: 'SALES_TEAM_2', name: '销售二组', under: 'SALES_CENTRE' },
  { code: 'SALES_TEAM_3', name: '销售三组', under: 'SALES_CENTRE' },
  { code: 'AFTERSALES', name: '售后服务部', under: 'COMPANY' },
  { code: 'AFTERSALES_GROUP_1', name: '售后一组', under: 'AFTERSALES' },
  { code: 'AFTERSALES_GROUP_2', name: '售后二组', under: 'AFTERSALES' },
  { code: 'FINANCE', name: '财务部', under: 'COMPANY' },
  { code: 'OPERATIONS', name: '运营部', under: 'COMPANY' },
  { code: 'LOGISTICS', name: '物流部', under: 'COMPANY' },
  { code: 'ADMINISTRATION', name: '行政部', under: 'COMPANY' },
  { code: 'AUDIT', name: '审计部', under: 'COMPANY' },
]

/** A place in the company: the first person of a department leads it. */
type Post = { readonly org: string; readonly role: RoleCode; readonly people: number }

// Consultants in after-sales renew memberships: they take over pupils whose first year is done.
const POSTS: readonly Post[] = [
  { org: 'ADMINISTRATION', role: 'SUPER_ADMIN', people: 1 },
  { org: 'SALES_CENTRE', role: 'SALES_MANAGER_COPY', people: 1 },
  { org: 'SALES_TEAM_1', role: 'SALES_MANAGER_COPY', people: 1 },
  { org: 'SALES_TEAM_1', role: 'SALES', people: 4 },
  { org: 'SALES_TEAM_2', role: 'SALES_MANAGER_COPY', people: 1 },
  { org: 'SALES_TEAM_2', role: 'SALES', people: 4 },
  { org: 'SALES_TEAM_3', role: 'SALES_MANAGER_COPY', people: 1 },
  { org: 'SALES_TEAM_3', role: 'SALES', people: 4 },
  { org: 'AFTERSALES', role: 'AFTERSALES_MANAGER', people: 1 },
  { org: 'AFTERSALES_GROUP_1', role: 'AFTERSALES_MANAGER', people: 1 },
  { org: 'AFTERSALES_GROUP_1', role: 'TEACHER', people: 3 },
  { org: 'AFTERSALES_GROUP_1', role: 'SALES', people: 1 },
  { org: 'AFTERSALES_GROUP_2', role: 'AFTERSALES_MANAGER', people: 1 },
  { org: 'AFTERSALES_GROUP_2', role: 'TEACHER', people: 3 },
  { org: 'AFTERSALES_GROUP_2', role: 'SALES', people: 1 },
  { org: 'FINANCE', role: 'FINANCE', people: 2 },
  { org: 'FINANCE', role: 'FINANCE_CASHIER', people: 2 },
  { org: 'OPERATIONS', role: 'OPERATIONS_MANAGER', people: 1 },
  { org: 'OPERATIONS', role: 'OPERATIONS', people: 3 },
  { org: 'LOGISTICS', role: 'WAREHOUSE_MANAGER', people: 1 },
  { org: 'LOGISTICS', role: 'LOGISTICS', people: 2 },
  { org: 'AUDIT', role: 'AUDITOR', people: 1 },
]

/** Has left the company; her pupils went to colleagues, what she sold keeps her name. */
const LEAVER = { org: 'SALES_TEAM_2', role: 'SALES', nth: 3 }

/** She did so this long ago. */
export const LEFT_DAYS = 120

export type Colleague = {
  readonly id: string
  readonly account: string
  readonly name: string
  readonly org: string
  readonly orgId: string
  readonly role: RoleCode
  readonly enabled: boolean
  /** The last day at work. */
  readonly leftOn: string | null
}

type Accounts = { readonly admin: string; readonly adminHash: string; readonly demoHash: string }
type Given = { readonly now: Date; readonly roles: readonly Role[]; readonly accounts: Accounts }

const DAY_MS = 86_400_000
const YOUNGEST_DAYS = 8_100

/** Departments, roles and people. What an earlier start has made (root, SUPER_ADMIN, its account) is kept and joined to. */
export async function seedOrganisation(tx: Tx, random: Random, given: Given): Promise<Colleague[]> {
  const { now, accounts } = given
  const founded = new Date(now.getTime() - 2 * 365 * DAY_MS)
  const orgs = await seedDepartments(tx, founded)
  const roles = await seedRoles(tx, given.roles, founded)
  const people = hire(random, now, accounts, orgs)
  const known = await tx.selectFrom('staff').select('account').execute()
  const fresh = people.filter(({ row }) => !known.some(({ account }) => account === row.account))
  await insertRows(
    tx,
    'staff',
    fresh.map(({ row }) => row),
  )
  const ids = idsBy(await tx.selectFrom('staff').select(['id', 'account']).execute(), 'account')
  await insertRows(
    tx,
    'staff_role',
    fresh
      .filter(({ row }) => row.employment === 'ACTIVE')
      .map(({ row, post }) => ({ staff_id: idOf(ids, row.account), role_id: idOf(roles, post.role) })),
  )
  await appointManagers(tx, people, ids)
  return people.map(({ row, post }) => ({
    id: idOf(ids, row.account),
    account: row.account,
    name: row.name,
    org: post.org,
    orgId: idOf(orgs, post.org),
    role: post.role,
    enabled: row.status === 'ENABLED',
    leftOn: row.left_on,
  }))
}

async function seedDepartments(tx: Tx, founded: Date): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  const root = await tx.selectFrom('org').select('id').where('parent_id', 'is', null).orderBy('id').executeTakeFirst()
  if (root) ids.set('COMPANY', root.id)
  for (const [sort, { code, name, under }] of DEPARTMENTS.entries()) {
    if (ids.has(code)) continue
    const parent = under === null ? null : idOf(ids, under)
    const { id } = await tx
      .insertInto('org')
      .values({
        parent_id: parent,
        name,
        code,
        type: parent === null ? 'COMP' : 'DEPT',
        path: '',
        sort,
        created_at: founded,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.set(code, id)
  }
  return ids
}

async function seedRoles(tx: Tx, all: readonly Role[], founded: Date): Promise<ReadonlyMap<string, string>> {
  const known = await tx.selectFrom('role').select('code').execute()
  const fresh = all.filter(({ code }) => !known.some(role => role.code === code))
  await insertRows(
    tx,
    'role',
    fresh.map(({ code, name, note, scope }) => ({ code, name, note, scope, created_at: founded })),
  )
  const ids = idsBy(await tx.selectFrom('role').select(['id', 'code']).execute(), 'code')
  const held = await heldPermissions(tx)
  const grants = fresh.flatMap(({ code, holds }) =>
    Object.entries(holds).flatMap(([page, actions]) =>
      held(code, page, actions).map(permission_id => ({ role_id: idOf(ids, code), permission_id })),
    ),
  )
  // Two pages of one group name the group twice.
  await insertRows(tx, 'role_permission', [
    ...new Map(grants.map(grant => [Object.values(grant).join(), grant])).values(),
  ])
  return ids
}

/** The rows a grant stands for: the page, the group above it, and each action. A key no screen declares is a mistake here. */
async function heldPermissions(tx: Tx) {
  const rows = await tx
    .selectFrom('permission')
    .select(['id', 'parent_id', 'display_type', 'resource_code'])
    .where('vanished', '=', false)
    .execute()
  return (role: string, page: string, actions: readonly string[]): string[] => {
    const menu = rows.find(row => row.display_type === 'MENU' && row.resource_code === page)
    if (!menu) throw new Error(`the role ${role} names the page ${page}, which no screen declares`)
    const ids = actions.map(action => {
      const found = rows.find(
        row => row.parent_id === menu.id && row.display_type === 'PERMISSION' && row.resource_code === action,
      )
      if (!found) throw new Error(`the role ${role} names ${page}:${action}, which no screen declares`)
      return found.id
    })
    return [...(menu.parent_id === null ? [] : [menu.parent_id]), menu.id, ...ids]
  }
}

type Hired = { readonly post: Post; readonly row: ReturnType<typeof staffRow> }

function hire(random: Random, now: Date, accounts: Accounts, orgs: ReadonlyMap<string, string>): Hired[] {
  const shown = (role: RoleCode) => demoAccountOf(role, { ADMIN_USERNAME: accounts.admin })
  const taken = new Set<string>(ROLE_CODES.map(shown))
  const withAccount = new Set<RoleCode>()
  const hired: Hired[] = []
  for (const post of POSTS) {
    for (let nth = 1; nth <= post.people; nth += 1) {
      const leaver = post.org === LEAVER.org && post.role === LEAVER.role && nth === LEAVER.nth
      const gender: Gender = leaver || random.chance(0.62) ? 'F' : 'M'
      const name = freshName(random, gender, hired)
      const first = !withAccount.has(post.role)
      withAccount.add(post.role)
      const account = first ? shown(post.role) : freshAccount(name, taken)
      const row = staffRow(
        { account, name, gender, index: hired.length, leaver, orgId: idOf(orgs, post.org) },
        random,
        now,
      )
      hired.push({
        post,
        row: { ...row, password_hash: post.role === 'SUPER_ADMIN' ? accounts.adminHash : accounts.demoHash },
      })
    }
  }
  return hired
}

function staffRow(
  person: { account: string; name: string; gender: Gender; index: number; leaver: boolean; orgId: string },
  random: Random,
  now: Date,
) {
  return {
    account: person.account,
    name: person.name,
    ...spellingOf(person.name),
    org_id: person.orgId,
    gender: person.gender,
    phone: phoneAt(PHONES.staff + person.index),
    email: `${person.account}@inkstone.example`,
    password_hash: '',
    password_set_at: now,
    status: person.leaver ? ('DISABLED' as const) : ('ENABLED' as const),
    employment: person.leaver ? ('LEFT' as const) : ('ACTIVE' as const),
    left_on: person.leaver ? dayOf(new Date(now.getTime() - LEFT_DAYS * DAY_MS)) : null,
    birthday: dayOf(new Date(now.getTime() - (YOUNGEST_DAYS + ((person.index * 1_371) % 7_900)) * DAY_MS)),
    // Everybody was there before the first order of the two years.
    created_at: new Date(now.getTime() - random.whole(740, 1_800) * DAY_MS),
  }
}

function freshName(random: Random, gender: Gender, hired: readonly Hired[]): string {
  for (;;) {
    const name = adultName(random, gender)
    if (!hired.some(({ row }) => row.name === name)) return name
  }
}

function freshAccount(name: string, taken: Set<string>): string {
  const base = pinyinOf(name)
  let account = base
  for (let nth = 2; taken.has(account); nth += 1) account = `${base}${nth}`
  taken.add(account)
  return account
}

/** Everybody reports to the first person of the department, who reports to the first one of the department above. */
async function appointManagers(tx: Tx, people: readonly Hired[], ids: ReadonlyMap<string, string>): Promise<void> {
  const headOf = (org: string | null): string | null => people.find(({ post }) => post.org === org)?.row.account ?? null
  const above = (org: string): string | null => DEPARTMENTS.find(({ code }) => code === org)?.under ?? null
  const pairs = people.flatMap(({ post, row }) => {
    const head = headOf(post.org)
    const manager = head === row.account ? headOf(above(post.org)) : head
    return manager === null ? [] : [{ id: idOf(ids, row.account), manager: idOf(ids, manager) }]
  })
  await sql`
    update staff s set manager_id = m.manager
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as m (id bigint, manager bigint) where s.id = m.id`.execute(
    tx,
  )
  const heads = DEPARTMENTS.flatMap(({ code }) => {
    const head = headOf(code)
    return head === null ? [] : [{ code, head: idOf(ids, head) }]
  })
  await sql`
    update org o set manager_id = h.head
    from jsonb_to_recordset(${JSON.stringify(heads)}::jsonb) as h (code text, head bigint) where o.code = h.code`.execute(
    tx,
  )
}
