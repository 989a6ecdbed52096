import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { openDemoInstance } from '../../../../tools/testing/demo-instance.ts'

const UPGRADE = new URL('../../../../migrations/20261119T0830-refunds-decided-by-earlier-rules.sql', import.meta.url)
const PROMISE = 'the refunds of a line give back no more than was suggested, unless finance was asked about more'

test('a refund beyond the suggestion, decided before finance was asked about such, stands and says so; a later one does not', async () => {
  const { app, catalogue } = await openDemoInstance()
  const broken = async () => (await findBroken(app.db, catalogue, name => name === PROMISE)).map(({ name }) => name)
  const { rows } = await sql<{ id: string; fen: string }>`
    update refund_application r set calculation = jsonb_set(calculation, '{0,suggestedFen}', '0'), created_at = now()
    where id = (
      select min(id) from refund_application o where status = 'PAID' and not needs_l2 and jsonb_array_length(calculation) = 1
        and (calculation #>> '{0,takenFen}')::bigint = 0
        and not exists (select from refund_application x where x.order_id = o.order_id and x.id <> o.id))
    returning id, calculation #>> '{0,amountFen}' as fen`.execute(app.db.query)
  const refund = rows[0]
  if (!refund) throw new Error('the demo business has no such refund')
  const upgrade = async () => app.db.read.pool.query(await readFile(UPGRADE, 'utf8'))
  await upgrade()
  expect(await broken()).toEqual([PROMISE])

  await sql`update migration set applied_at = now() where name = '20261115T2040-refund-rules.sql'`.execute(app.db.query)
  await upgrade()
  expect(await broken()).toEqual([])
  const told = await app.db.query
    .selectFrom('refund_application')
    .select('l2_reasons')
    .where('id', '=', refund.id)
    .executeTakeFirstOrThrow()
  expect(told.l2_reasons).toEqual([{ why: 'EARLIER', value: Number(refund.fen) }])
})
