import { beforeAll, expect, test } from 'vitest'
import { arrive } from '#engines/lead/server.ts'
import { columnOf } from '#kit/model/field.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { run } from '#kit/server/database/database.ts'
import { openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import { belongingsOf, kindsOf } from './belongings.server.ts'

const FIGURES = 'figures kept of the rows: they follow them'
const PAST = 'what somebody had or did then stays that person’s'

/** Tables with an owner after which a hand-over does not ask, and why. */
const STAYS: Readonly<Record<string, string>> = {
  file: 'whoever sent a file sent it; who sees it is said by the record it belongs to',
  kept_count: FIGURES,
  lead_act: PAST,
  lead_judgement: PAST,
  lead_owner: PAST,
  lead_taken_back: PAST,
  order_by_channel_cell: FIGURES,
  order_by_channel_move: FIGURES,
  order_by_product_cell: FIGURES,
  order_by_product_move: FIGURES,
  order_by_seller_cell: FIGURES,
  order_by_seller_move: FIGURES,
  refund_notice: 'nobody’s by itself: it goes along with its member',
  staff: 'everybody is their own',
  task: 'the answer to what somebody asked for, under "my tasks" until it goes',
  upload: 'a file half sent: only whoever sends it goes on',
}

let instance: TestInstance
beforeAll(async () => {
  instance = await openTestInstance()
})

const query = (text: string, values: unknown[] = []) => run(instance.app.db.query, text, values)

test('every table whose rows have an owner is handed over by a declaration, or it stands here why not', async () => {
  const tables = await query(`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'owner_id' and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname`)
  const kinds = await kindsOf(instance.app)
  const moved = kinds
    .filter(({ moves, where }) => moves && /(^|\W)owner_id = \$1/.test(where))
    .map(({ table }) => table)
  expect(tables.map(({ name }) => String(name)).filter(name => !moved.includes(name))).toEqual(Object.keys(STAYS))
})

test('every table whose rows somebody cares for is handed over, unless that is whoever asked or a group', async () => {
  const kinds = await kindsOf(instance.app)
  const moved = new Set(kinds.filter(({ moves }) => moves).map(({ table, where }) => `${table}: ${where}`))
  const left = instance.catalogue.slices.flatMap(({ resource }) => {
    const { table, carer, care, asked, isPast } = resource ?? {}
    if (!table || !carer || care || isPast || (asked && 'by' in asked && asked.by === carer)) return []
    const kind = `${table}: ${columnOf(carer)} = $1`
    return moved.has(kind) ? [] : [kind]
  })
  expect(left).toEqual([])
})

test('what waits in a pool is nobody’s, whatever number the pool has', async () => {
  const { id } = await person(instance)
  await query('insert into lead_pool (id, name) overriding system value values ($1, $2) on conflict (id) do nothing', [
    id,
    `pool ${id}`,
  ])
  const came = { name: null, source: 'DOUYIN', channel: 'DOUYIN_LIVE', consent: 'FORM', owner: null } as const
  await instance.app.db.write(tx =>
    arrive(ownChange(instance.app, tx, instance.clock.now(), 'test'), [
      { ...came, phone: phoneAt(PHONES.test + 73_000), cameBy: 'REGISTRATION', key: 'registration' },
    ]),
  )
  const { length } = await query('update lead set pool_id = $1 where pool_id is not null returning id', [id])
  expect(length).toBe(1)
  expect(await belongingsOf(instance.app, instance.app.db.query, id, instance.clock.now())).toEqual([])
})
