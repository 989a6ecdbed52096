import { beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { readStories } from '../src/demo/story.server.ts'
import { fieldMeta, isOptional } from '../src/kit/model/field.ts'
import type { Reference, Resource, Shape } from '../src/kit/model/resource.ts'
import type { Workflow } from '../src/kit/model/workflow.ts'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import {
  type AskedFor,
  atTheEnd,
  boundsOf,
  enteredFields,
  extremesOf,
  type Known,
  plausible,
} from './testing/bodies.ts'
import { grantOf, proof } from './testing/commerce.ts'
import { DEMO_DAY } from './testing/demo-day.ts'
import { openDemoInstance } from './testing/demo-instance.ts'
import { type Caller, patiently, person, type TestInstance } from './testing/instance.ts'
import { IS_LONG } from './testing/long.ts'
import { fingerprints } from './testing/state.ts'

/** Written by being asked, not by what is asked: the log, sessions, and attempts to find numbers out. */
const BESIDE = ['attempt_gate', 'operation_log', 'session']
const PICTURES = 200
const LONG_MS = 600_000
/** Older records each step is tried on in the end, besides all that the test has made. */
const FOLLOWED = 2
/** Of what a screen made itself, the newest. */
const MADE = 6

let instance: TestInstance
let maker: Caller
/** Four eyes: whoever made a record is not the one who decides on it. */
let decider: Caller
let payer: Caller
let known: Known
/** Table → its newest record before anything was tried. */
const newest = new Map<string, bigint>()
/** Uploaded beforehand: each proves one payment. */
let pictures: string[]
let slices: { resource: Resource; workflow: Workflow | null }[]

beforeAll(async () => {
  instance = await openDemoInstance()
  // What the console does by itself meanwhile is not what the forms did.
  await instance.house.stop()
  await instance.outbox.run()
  maker = await person(instance, { superAdmin: true })
  decider = await person(instance, { superAdmin: true })
  payer = await person(instance, { superAdmin: true })
  slices = instance.app.catalogue.slices.flatMap(({ resource, workflow }) => (resource ? [{ resource, workflow }] : []))
  pictures = await Promise.all(Array.from({ length: PICTURES }, () => proof(instance, maker.id)))
  known = await readKnown()
  for (const { table } of slices.map(({ resource }) => resource)) {
    const { rows } = await instance.app.db.read.pool.query(`select coalesce(max(id), 0) as id from ${table}`)
    newest.set(table, BigInt(rows[0].id))
  }
})

async function readKnown(): Promise<Known> {
  const ids = new Map<string, string>()
  for (const name of instance.app.catalogue.references.keys()) {
    const { data } = await maker.get<{ id: string }[]>(`/common/reference/${name}?offered=true`)
    if (data[0]) ids.set(name, data[0].id)
  }
  // Money goes back on what was paid alone.
  const { data: paid } = await maker.get<{ records: { id: string }[] }>(
    '/orders/order?payState=PAID&refundState=NONE&amountFenBegin=100000&source=APP',
  )
  ids.set('order', paid.records[0]?.id ?? '')
  // Many are written to by what is published for that alone.
  const { templateId } = await instance.app.db.query
    .selectFrom('campaign')
    .select('template_id as templateId')
    .limit(1)
    .executeTakeFirstOrThrow()
  ids.set('message-template', templateId)
  const stories = await readStories(instance.app.catalogue)
  const enters = new Map(stories.flatMap(({ name, enters: entered }) => (entered ? [[name, entered]] : [])))
  return { ids, values: await readValues(), enters, picture: () => pictures.pop() ?? '', now: DEMO_DAY }
}

/** As they are on offer now: what somebody has taken for good is not. */
async function readValues(): Promise<Known['values']> {
  const entries = await instance.app.db.query
    .selectFrom('dictionary_item as i')
    .innerJoin('dictionary_type as t', 't.id', 'i.type_id')
    // A channel is one partner's or one teacher's: what is on offer for another is nobody's yet.
    .leftJoin('partner as p', join => join.onRef('p.channel', '=', 'i.value').on('t.code', '=', 'CHANNEL'))
    .leftJoin('school_teacher as s', join => join.onRef('s.channel', '=', 'i.value').on('t.code', '=', 'CHANNEL'))
    .select(['t.code', 'i.value'])
    .where('i.enabled', '=', true)
    .where('p.id', 'is', null)
    .where('s.id', 'is', null)
    .execute()
  return new Map(entries.map(({ code, value }) => [code, value]))
}

const failed: string[] = []
/** Sends it and writes down what was an error of ours. */
async function send(who: Caller, method: 'post' | 'put', path: string, body: unknown, what: string) {
  const answer = await who[method]<{ id: string }>(path, body)
  if (answer.status >= 500) failed.push(`${answer.status} ${method} ${path} ${what}`)
  if (answer.code === 0) read.clear()
  return answer
}
const said = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 60)

const tried = new Set<string>()
/** One piece of code reads all fields of a kind: the first of them meets everything, the others meet their own bounds. */
function hostile(form: string, schema: z.ZodType): readonly unknown[] {
  const kind = `${form} ${fieldMeta(schema).kind} ${isOptional(schema)}`
  const isFirst = !tried.has(kind)
  tried.add(kind)
  return [...boundsOf(schema), ...(isFirst || IS_LONG ? extremesOf(schema) : [])]
}

/** The same body with each field in turn as extreme as it gets. */
const variants = (form: string, asked: AskedFor): [what: string, body: () => Record<string, unknown>][] => [
  ['as usual', () => plausible(asked, known)],
  ['all least', () => atTheEnd('least', asked, known)],
  ['all most', () => atTheEnd('most', asked, known)],
  ...Object.entries(asked.shape).flatMap(([field, schema]) =>
    hostile(form, schema).map((value): [string, () => Record<string, unknown>] => [
      `${field}=${said(value)}`,
      () => ({ ...plausible(asked, known), [field]: value }),
    ]),
  ),
]

const pick = (resource: Resource, fields: readonly string[]): Shape =>
  Object.fromEntries(fields.map(field => [field, resource.record.shape[field] as never]))
const askedBy = ({ screen }: Resource, shape: Shape): AskedFor => ({ screen: screen.name, shape })

type Open = { id: string; version: number; askedId?: string; steps: Record<string, unknown> }
/** Lists as they are read, until something is taken: most of what is asked for is refused. */
const read = new Map<string, Promise<Open[]>>()
async function listOf(who: Caller, { screen, table }: Resource): Promise<Open[]> {
  const { data } = await patiently(() => who.get<{ records: Open[] }>(`/${screen.name}?size=100`))
  // Those who try go on trying: none of them is shut out by another.
  return data.records.filter(({ id }) => table !== 'staff' || [maker, decider, payer].every(one => one.id !== id))
}
async function open(who: Caller, resource: Resource, step?: string): Promise<Open[]> {
  const key = `${who.id} ${resource.screen.name}`
  const list = read.get(key) ?? listOf(who, resource)
  read.set(key, list)
  return (await list).filter(({ steps }) => step === undefined || steps[step] === null)
}

/** Every body a form sends: where it goes, its fields, and what besides them is sent. */
type Form = {
  readonly what: string
  readonly asked: AskedFor
  send(who: Caller, body: object): ReturnType<typeof send>
}

async function formsOf({ resource, workflow }: (typeof slices)[number], who: Caller): Promise<Form[]> {
  const path = `/${resource.screen.name}`
  const [row] = await open(who, resource)
  const forms: Form[] = []
  if (resource.actions.includes('create'))
    forms.push({
      what: `${path} create`,
      asked: askedBy(resource, { ...pick(resource, resource.create), ...resource.asks }),
      send: (caller, body) => send(caller, 'post', path, body, 'create'),
    })
  if (resource.actions.includes('update') && row)
    forms.push({
      what: `${path} update`,
      asked: askedBy(resource, pick(resource, resource.edit)),
      send: (caller, body) => send(caller, 'put', `${path}/${row.id}`, { ...body, version: row.version }, 'update'),
    })
  for (const [name, { input, reason }] of Object.entries(workflow?.steps ?? {})) {
    const [stepped] = await open(who, resource, name)
    if (Object.keys(input).length > 0 && stepped)
      forms.push({
        what: `${path} ${name}`,
        asked: askedBy(resource, input),
        send: (caller, body) =>
          send(
            caller,
            'post',
            `${path}/${stepped.id}/${name}`,
            { ...body, ...(reason ? { reason: '复核' } : {}) },
            name,
          ),
      })
  }
  return forms
}

test('what slices say people enter together is asked for by one of their forms', () => {
  const lost = [...known.enters.keys()].flatMap(name => {
    const { resource, workflow } = slices.find(slice => slice.resource.screen.name === name) ?? {}
    const shapes = resource && [
      { ...pick(resource, resource.create), ...resource.asks },
      pick(resource, resource.edit),
      ...Object.values(workflow?.steps ?? {}).map(({ input }) => input),
    ]
    const fields = enteredFields(name, known)
    return shapes?.some(shape => fields.every(field => field in shape)) ? [] : [`${name}: ${fields}`]
  })
  expect(lost).toEqual([])
  expect(known.enters.size).toBeGreaterThan(10)
})

type Fields = { fields?: Record<string, string> } | null
const fieldsOf = (answer: { data: unknown }): Record<string, string> => (answer.data as Fields)?.fields ?? {}
const kindOf = (schema: z.ZodType) => fieldMeta(schema)

describe('what is chosen', () => {
  test('from a dictionary is one of its entries on offer, in every form: anything else is refused at its field', async () => {
    const before = await fingerprints(instance, BESIDE)
    const seen: string[] = []
    for (const slice of slices) {
      for (const { what, asked, send: sent } of await formsOf(slice, decider)) {
        for (const [field, schema] of Object.entries(asked.shape)) {
          const meta = kindOf(schema)
          if (meta.kind !== 'dictionary' && meta.kind !== 'tags') continue
          const body = { ...plausible(asked, known), [field]: meta.kind === 'tags' ? ['NOPE'] : 'NOPE' }
          expect(fieldsOf(await sent(decider, body)), `${what} ${field}`).toHaveProperty(field)
          seen.push(meta.code)
        }
      }
    }
    expect(new Set(seen).size).toBeGreaterThan(5)
    expect(await fingerprints(instance, BESIDE)).toEqual(before)
  })

  test('from records is within the sight of whoever chooses, in every form: others are refused like none at all', async () => {
    const grants = Object.fromEntries(instance.app.catalogue.pages)
    const seller = await person(instance, { scope: 'SELF', grants })
    const { pool } = instance.app.db.read
    const lent: (() => Promise<unknown>)[] = []
    // People are their own: nobody can be lent.
    const lendable = slices.filter(({ resource: { scope, table } }) => scope === 'owned' && table !== 'staff')
    for (const { resource } of lendable) {
      const rows = await open(decider, resource)
      const ids = rows.filter(row => Object.values(row.steps).includes(null)).slice(0, 3)
      for (const { id } of ids) {
        const { rows: owners } = await pool.query(`select owner_id, org_id from ${resource.table} where id = $1`, [id])
        const give = (ownerId: unknown, orgId: unknown) =>
          pool.query(`update ${resource.table} set owner_id = $1, org_id = $2 where id = $3`, [ownerId, orgId, id])
        await give(seller.id, seller.orgId)
        lent.unshift(() => give(owners[0].owner_id, owners[0].org_id))
      }
    }
    read.clear()
    const before = await fingerprints(instance, BESIDE)
    const seen: string[] = []
    for (const slice of slices) {
      for (const { what, asked, send: sent } of await formsOf(slice, seller)) {
        for (const [field, schema] of Object.entries(asked.shape)) {
          const meta = kindOf(schema)
          if (meta.kind !== 'reference') continue
          const chosen = async (id: string) => fieldsOf(await sent(seller, { ...plausible(asked, known), [field]: id }))
          const missing = (await chosen('999999999999999999'))[field]
          expect(missing, `${what} ${field}`).toBeDefined()
          const hidden = await hiddenFrom(seller, meta.to)
          if (hidden) expect((await chosen(hidden))[field], `${what} ${field}=${hidden}`).toBe(missing)
          seen.push(`${what} ${field}`)
        }
      }
    }
    expect(seen.join()).toMatch(/order create memberId.*refund-application create orderId/)
    expect(await fingerprints(instance, BESIDE)).toEqual(before)
    for (const giveBack of lent) await giveBack()
    read.clear()
  })
})

/** A record this person may not choose: one of others, or one no form offers any more. */
async function hiddenFrom(who: Caller, name: string): Promise<string | undefined> {
  const reference = instance.app.catalogue.references.get(name) as Reference
  const owned = `owner_id is distinct from ${who.id}`
  const rule =
    reference.scope === 'owned'
      ? owned
      : reference.offered
        ? `${reference.offered.column} <> all('{${reference.offered.values.join(',')}}')`
        : 'false'
  const { rows } = await instance.app.db.read.pool.query(`select id from ${reference.table} where ${rule} limit 1`)
  return rows[0]?.id
}

describe('extreme input', () => {
  test(
    'adds a record or is refused: it is never an error of ours',
    async () => {
      for (const { resource } of slices.filter(({ resource: { actions } }) => actions.includes('create'))) {
        const asked = askedBy(resource, { ...pick(resource, resource.create), ...resource.asks })
        known = { ...known, values: await readValues() }
        // Numbers entered in one form after the other add up as in no day's work, and then nothing more is read of them.
        await instance.app.db.query.deleteFrom('attempt_gate').execute()
        for (const [what, body] of variants('create', asked)) {
          const { code, msg } = await send(maker, 'post', `/${resource.screen.name}`, body(), what)
          if (what === 'as usual' && code !== 0) failed.push(`${resource.screen.name} is not so made: ${msg}`)
        }
      }
      expect(failed.splice(0)).toEqual([])
    },
    LONG_MS,
  )

  test(
    'changes a record or is refused: it is never an error of ours',
    async () => {
      for (const { resource } of slices.filter(({ resource: { actions } }) => actions.includes('update'))) {
        const path = `/${resource.screen.name}`
        let [row] = await open(maker, resource)
        for (const [what, body] of variants('edit', askedBy(resource, pick(resource, resource.edit)))) {
          const { code } = await send(maker, 'put', `${path}/${row?.id}`, { ...body(), version: row?.version }, what)
          if (code === 0) row = (await maker.get<Open>(`${path}/${row?.id}`)).data
        }
      }
      expect(failed.splice(0)).toEqual([])
    },
    LONG_MS,
  )

  test(
    'of a step is taken or refused: it is never an error of ours',
    async () => {
      for (const { resource, workflow } of slices) {
        for (const [name, step] of Object.entries(workflow?.steps ?? {})) {
          let rows = await open(decider, resource, name)
          const asked = askedBy(resource, step.input)
          for (const [what, body] of Object.keys(step.input).length > 0 ? variants('step', asked) : []) {
            const id = rows[0]?.id ?? '1'
            const input = { ...body(), ...(step.reason ? { reason: 'x'.repeat(200) } : {}) }
            const { code } = await send(decider, 'post', `/${resource.screen.name}/${id}/${name}`, input, what)
            // The next of those that were open; what is not any more says so.
            if (code === 0) rows = rows.length > 1 ? rows.slice(1) : await open(decider, resource, name)
          }
        }
      }
      expect(failed.splice(0)).toEqual([])
    },
    LONG_MS,
  )

  test('of everything an order is made of is taken up to its ends, and can be examined and paid', async () => {
    const product = slices.find(({ resource }) => resource.screen.name === 'products/product')?.resource as Resource
    const order = slices.find(({ resource }) => resource.screen.name === 'orders/order')?.resource as Resource
    const [asked, sold] = [
      askedBy(order, { ...pick(order, order.create), ...order.asks }),
      askedBy(product, pick(product, product.create)),
    ]
    const endless = { ...plausible(sold, known), grants: [grantOf('MEMBER_DAYS', 1_000_000)] }
    expect(fieldsOf(await send(maker, 'post', '/products/product', endless, 'a million days'))).toHaveProperty('grants')
    for (const of of ['least', 'most'] as const) {
      // Its number is its own: at the ends of a form it has been given before.
      const { code } = plausible(sold, known)
      const made = await send(maker, 'post', '/products/product', { ...atTheEnd(of, sold, known), code }, of)
      expect(made.code, made.msg).toBe(0)
      const productId = made.data.id
      await send(decider, 'post', `/products/product/${productId}/putOnSale`, {}, of)
      for (const end of ['least', 'most'] as const) {
        const products = [{ productId, quantity: end === 'least' ? 1 : 100 }]
        const transactionNo = `${of}-${end}`.padEnd(64, '9')
        const body = { ...atTheEnd(end, asked, known), products, transactionNo, couponId: null, transferFen: null }
        const placed = await send(maker, 'post', '/orders/order', body, `${of} ${end}`)
        expect(placed.code, `${of} ${end}: ${placed.msg}`).toBe(0)
      }
    }
    expect(failed.splice(0)).toEqual([])
  })

  test(
    'leaves nothing stuck: every step that is open afterwards can be taken, or says why not',
    async () => {
      for (const who of [decider, payer]) {
        for (const { resource, workflow } of slices) {
          for (const [name, step] of Object.entries(workflow?.steps ?? {})) {
            const rows = await open(who, resource, name)
            const isNew = ({ id }: Open) => BigInt(id) > (newest.get(resource.table) ?? 0n)
            // What a form of another screen made is followed whole: it is there because of that form alone.
            const most = who !== decider ? FOLLOWED : resource.actions.includes('create') ? MADE : rows.length
            const made = rows.filter(isNew).slice(0, most)
            for (const { id, askedId } of [...made, ...rows.filter(row => !isNew(row)).slice(0, FOLLOWED)]) {
              const shown = 'askedId' in step.input ? { askedId } : {}
              const body = {
                ...plausible(askedBy(resource, step.input), known),
                ...shown,
                ...(step.reason ? { reason: '复核' } : {}),
              }
              await send(who, 'post', `/${resource.screen.name}/${id}/${name}`, body, 'afterwards')
            }
          }
        }
      }
      expect(failed.splice(0)).toEqual([])
      expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
    },
    LONG_MS,
  )
})
