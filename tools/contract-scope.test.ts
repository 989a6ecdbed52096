import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { memberHandedOver, seenByOwner } from '../src/areas/members/member/handing-over.server.ts'
import { columnOf, fieldMeta, knownMeta } from '../src/kit/model/field.ts'
import type { Resource } from '../src/kit/model/resource.ts'
import type { Route } from '../src/kit/server/http/route.ts'
import { codeBatch } from './testing/codes.ts'
import { openDemoInstance } from './testing/demo-instance.ts'
import { type Caller, org, person, type TestInstance } from './testing/instance.ts'
import { fingerprints } from './testing/state.ts'

/** Written by being asked: counters of attempts, and the log. */
const BESIDE = ['attempt_gate', 'operation_log', 'kept_count', 'outbox', 'signal', 'task']

let instance: TestInstance
let admin: Caller
/** Holds every action of every page, and owns nothing. */
let stranger: Caller
let owned: { resource: Resource; ids: string[]; record: Record<string, unknown> }[]

beforeAll(async () => {
  instance = await openDemoInstance()
  await instance.outbox.close()
  // What the console does by itself meanwhile is not what was asked.
  await instance.house.stop()
  admin = await person(instance, { superAdmin: true })
  const everything = Object.fromEntries(instance.app.catalogue.pages)
  stranger = await person(instance, { scope: 'SELF', grants: everything })
  await redeemOne()
  await askForRun()
  owned = []
  for (const { resource } of instance.app.catalogue.slices) {
    if (resource?.scope !== 'owned') continue
    const { data } = await admin.get<{ records: { id: string }[] }>(`/${resource.screen.name}`)
    const others = data.records.filter(({ id }) => resource.table !== 'staff' || id !== stranger.id)
    const [record] = others
    if (record) owned.push({ resource, ids: others.map(({ id }) => id), record })
  }
})

/** The demo business of sixty orders has redeemed nothing yet. */
async function redeemOne(): Promise<void> {
  const [applicant, approver] = [await person(instance), await person(instance)]
  const { codes } = await codeBatch(instance, { applicantId: applicant.id, approvedBy: approver.id })
  const member = await instance.app.db.query
    .selectFrom('member')
    .select('id')
    .where('owner_id', 'is not', null)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirstOrThrow()
  expect(await admin.post('/orders/redemption/redeem', { code: codes[0], memberId: member.id })).toMatchObject({
    code: 0,
  })
}

/** What a job did is not made up in the demo business. */
async function askForRun(): Promise<void> {
  const { data } = await admin.get<{ records: { id: string }[] }>('/system/schedule-job')
  expect(await admin.post(`/system/schedule-job/${data.records[0]?.id}/runNow`)).toMatchObject({ code: 0 })
}

/** Calls on one record. An import has numbers of its own, and tests of its own (kit/server/import). */
const withId = (resource: Resource): Route[] =>
  instance.routes.filter(
    ({ path }) => path.startsWith(`/${resource.screen.name}/`) && /:ids?\b/.test(path) && !path.includes('/import/'),
  )

function ask(who: Caller, { method, path }: Route, id: string, body: unknown) {
  const address = path.replace(/:ids?\b/, id).replace(/:\w+/g, '1')
  if (method === 'GET') return who.get(`${address}?${new URLSearchParams(body as Record<string, string>)}`)
  if (method === 'DELETE') return who.remove(address)
  return method === 'PUT' ? who.put(address, body) : who.post(address, body)
}

type JsonSchema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  format?: string
  pattern?: string
  minLength?: number
  minimum?: number
  minItems?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
}

/** Something a call may take for good, so that it is the record that refuses and not the form. */
function plausible(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return plausible(schema.anyOf[0] as JsonSchema)
  if (schema.type === 'object')
    // A reason may be left out of the form of many steps, and is asked for by each of them.
    return Object.fromEntries(
      [...(schema.required ?? []), ...(schema.properties?.reason ? ['reason'] : [])].map(key => [
        key,
        plausible(schema.properties?.[key] ?? {}),
      ]),
    )
  if (schema.type === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => plausible(schema.items ?? {}))
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (schema.type === 'boolean') return true
  const texts = ['1', '2026-11-15', '2026-11-15T00:00:00Z', '13900000000', 'A', 'agreed', 'a@b.cn']
  const fits = (text: string) => text.length >= (schema.minLength ?? 0)
  if (schema.format === 'date') return '2026-11-15'
  if (schema.format === 'date-time') return '2026-11-15T00:00:00Z'
  if (schema.format === 'email') return 'a@b.cn'
  if (schema.format === 'uuid') return '0b7c5e2e-58b5-4d54-9f8a-0d6f1f8f2a11'
  const { pattern } = schema
  return texts.find(text => fits(text) && (!pattern || new RegExp(pattern, 'u').test(text))) ?? 'agreed'
}

const plausibleOf = (schema: z.ZodType): object =>
  plausible(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema) as object

const bodyOf = ({ method, body }: Route): unknown =>
  method === 'GET' || !(body instanceof z.ZodType) ? {} : plausibleOf(body)

/** All but one's own, which is asked about call by call, and "all". */
const SCOPES = ['SELF_AND_SUBORDINATES', 'DEPARTMENT', 'DEPARTMENT_AND_BELOW', 'CHOSEN'] as const

/** A record of the kind this field names that is not the stranger's; nothing where it names none that belongs to somebody. */
function foreignId({ path }: Route, field: string, schema: z.ZodType): string | string[] | undefined {
  if (field === 'ids')
    return owned.find(({ resource }) => path.startsWith(`/${resource.screen.name}/`))?.ids.slice(0, 1)
  const meta = knownMeta(schema)
  const to = meta?.kind === 'reference' ? meta.to : /^(\w+?)Ids?$/.exec(field)?.[1]
  const reference = to === undefined ? undefined : instance.app.catalogue.references.get(to)
  if (reference?.scope !== 'owned') return undefined
  const [id] = owned.find(({ resource }) => resource.table === reference.table)?.ids ?? []
  return id !== undefined && field.endsWith('s') ? [id] : id
}

/** The number of a record there is not. */
const MISSING = '999999999'

/** What the stranger is answered, whichever number was named. */
async function told(route: Route, asked: object): Promise<string> {
  const { status, code, data } = await ask(stranger, route, MISSING, asked)
  const ids = Object.values(asked)
    .flat()
    .filter(value => typeof value === 'string')
  return ids.reduce((said, id) => said.replaceAll(`"${id}"`, '"…"'), JSON.stringify({ status, code, data }))
}

describe('what belongs to others', () => {
  test('there are records of each kind that belongs to somebody', () => {
    const declared = instance.app.catalogue.slices.flatMap(({ resource }) =>
      resource?.scope === 'owned' ? [resource.screen.name] : [],
    )
    expect(owned.map(({ resource }) => resource.screen.name)).toEqual(declared)
  })

  test('follows its member into other hands, and its slice says so', async () => {
    const { rows } = await instance.app.db.read.pool.query(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name in ('member_id', 'owner_id', 'org_id') group by 1 having count(*) = 3`,
    )
    const ofMembers = instance.catalogue.slices.filter(
      // A screen on a part of a table stands beside its owner.
      ({ resource }) => resource && !resource.list.only && rows.some(({ name }) => name === resource.table),
    )
    expect(ofMembers.length).toBeGreaterThan(5)
    const silent = ofMembers.filter(
      ({ resource, listeners, invariants }) =>
        !listeners.some(({ to }) => to === memberHandedOver.name) ||
        !invariants.some(({ name }) => name === seenByOwner(resource?.table as 'shipment').name),
    )
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  test('is in no list, is not found by its number on any call, and stays as it is', async () => {
    const before = await fingerprints(instance, BESIDE)
    const reached: string[] = []
    for (const { resource, ids } of owned) {
      const { data: list } = await stranger.get<{ records: { id: string }[]; total: number }>(
        `/${resource.screen.name}`,
      )
      // Everybody is among the colleagues he sees.
      const own = resource.table === 'staff' ? [stranger.id] : []
      const seen = { ids: list.records.map(({ id }) => id), total: list.total }
      expect(seen, resource.screen.name).toEqual({ ids: own, total: own.length })
      for (const route of withId(resource)) {
        const { status, code, data } = await ask(stranger, route, ids[0] as string, bodyOf(route))
        if (status !== 404 || code !== 4004 || data !== null)
          reached.push(`${route.method} ${route.path}: ${status} ${code} ${JSON.stringify(data)}`)
      }
    }
    expect(reached).toEqual([])
    expect(await fingerprints(instance, BESIDE)).toEqual(before)
  })

  test('is named in a form or a question as if there were no such record', async () => {
    const before = await fingerprints(instance, BESIDE)
    const named = instance.routes.flatMap(route =>
      [route.body, route.query].flatMap(shape => {
        if (!(shape instanceof z.ZodObject)) return []
        const foreign = Object.entries(shape.shape as Record<string, z.ZodType>).flatMap(([field, schema]) => {
          const id = foreignId(route, field, schema)
          return id === undefined ? [] : [[field, id] as const]
        })
        const asked = { ...plausibleOf(shape), ...Object.fromEntries(foreign) }
        return foreign.length > 0 ? [{ route, foreign, named: asked }] : []
      }),
    )
    expect(named.length).toBeGreaterThan(5)
    const taken: string[] = []
    for (const { route, named: asked, foreign } of named) {
      const missing = Object.fromEntries(foreign.map(([field, id]) => [field, Array.isArray(id) ? [MISSING] : MISSING]))
      const theirs = await told(route, asked)
      if (theirs !== (await told(route, { ...asked, ...missing })))
        taken.push(`${route.method} ${route.path}: ${theirs}`)
    }
    expect(taken).toEqual([])
    expect(await fingerprints(instance, BESIDE)).toEqual(before)
  })

  test.each(SCOPES)('is found by nobody whose role reaches %s, where it is neither theirs nor there', async scope => {
    const grants = Object.fromEntries(instance.app.catalogue.pages)
    const others = await person(instance, { scope, chosen: scope === 'CHOSEN' ? [await org(instance)] : [], grants })
    const reached: string[] = []
    for (const { resource, ids } of owned) {
      const { status } = await others.get(`/${resource.screen.name}/${ids[0]}`)
      if (status !== 404) reached.push(`${resource.screen.name}: ${status}`)
    }
    expect(reached).toEqual([])
  })

  test('and what stands below a record is that record’s alone, and of others only what is in sight', async () => {
    type Rows = { records: Record<string, unknown>[]; total: number }
    for (const { of: parent, name, by, within, resource } of instance.app.catalogue.children) {
      const { rows } = await instance.app.db.read.pool.query(
        `select ${columnOf(by)} as id from ${resource.table} where ${columnOf(by)} is not null
         group by 1 order by count(*) desc limit 1`,
      )
      const path = `/${parent.screen.name}/${rows[0]?.id}/${name}`
      const { data: all } = await admin.get<Rows>(path)
      expect(all?.total ?? 0, path).toBeGreaterThan(0)
      expect(new Set(all.records.map(record => record[by])), path).toEqual(new Set([String(rows[0]?.id)]))
      const { status, data } = await stranger.get<Rows | null>(path)
      const seen = { status, total: data?.total }
      // Who may not read the record is told that there is none; of a shared one only what is nobody's is left.
      if (parent.scope === 'owned') expect(seen, path).toEqual({ status: 404, total: undefined })
      else expect(seen, path).toEqual({ status: 200, total: within === undefined ? all.total : 0 })
    }
  })

  test('is offered by no picker', async () => {
    for (const [name, { scope }] of instance.app.catalogue.references) {
      if (scope !== 'owned') continue
      const { code, data } = await stranger.get<unknown>(`/common/reference/${name}`)
      expect({ name, code, data: JSON.stringify(data) }).toEqual({
        name,
        code: 0,
        data: expect.stringMatching(/^\[\]$|"records":\[\]/),
      })
    }
  })
})

describe('the fields of a record', () => {
  test('are those declared, whoever asks, and what is personal is masked for everybody', async () => {
    for (const { resource, ids } of owned) {
      const page = resource.screen.key as string
      const reader = await person(instance, { grants: { [page]: ['list', 'detail'] } })
      const list = (who: Caller) => who.get<{ records: Record<string, unknown>[] }>(`/${resource.screen.name}`)
      const [mine] = (await list(reader)).data.records
      const [theirs] = (await list(admin)).data.records
      expect(Object.keys(mine ?? {}).sort(), resource.screen.name).toEqual(Object.keys(theirs ?? {}).sort())
      const detail = await reader.get<Record<string, unknown>>(`/${resource.screen.name}/${ids[0]}`)
      for (const [field, schema] of Object.entries(resource.record.shape)) {
        if (fieldMeta(schema).kind !== 'personal') continue
        for (const shown of [mine?.[field], theirs?.[field], detail.data?.[field]])
          expect(
            typeof shown === 'string' && !shown.includes('*') ? shown : '',
            `${resource.screen.name} ${field}`,
          ).toBe('')
      }
    }
  })

  test('that nobody writes are refused in every form, also beside good ones', async () => {
    for (const { resource } of owned) {
      const writing = instance.routes.filter(
        ({ method, path }) => method === 'POST' && path === `/${resource.screen.name}`,
      )
      for (const route of writing) {
        for (const field of ['id', 'createdAt', 'ownerId', 'orgId', 'superAdmin']) {
          if (resource.create?.includes(field)) continue
          const { code } = await admin.post(route.path, { [field]: '1' })
          expect([4000, 4005], `${route.path} ${field}`).toContain(code)
        }
      }
    }
  })
})
