import * as z from 'zod'
import { ID } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { formatInstant } from '#kit/model/time.ts'
import type { Call } from '#kit/server/call.ts'
import { record } from '#kit/server/change/audit.ts'
import { type Operation, operate } from '#kit/server/change/operation.ts'
import { lockRow, writeChange } from '#kit/server/change/step.ts'
import { dictionaryEntries } from '#kit/server/choice/dictionary.ts'
import { FileAnswer, type Routes, route } from '#kit/server/http/route.ts'
import { factsOf } from './fulfilment.server.ts'
import { MAX_PRINTED, resource, type Shipment } from './model.ts'
import { drawLabels, drawPickList, type Paper, written } from './sheets.server.ts'

type Printing = Call<{ page: string; action: string }>
type Kind = 'pick-list' | 'labels'

/** Whoever carries a parcel reads Chinese, whatever is spoken where its label was printed. */
const ADDRESSES = 'zh-CN'

/** Paper for the warehouse. Receivers stand on it in full: each print is logged with the parcel it is of. */
export const paperRoutes: Routes = app => {
  const { name, key } = resource.screen
  const make = async (call: Printing, ids: readonly string[], kind: Kind) => {
    const rows = await operate(app, call, op => taken(op, ids, kind))
    app.counts.drop(resource.table)
    const say: Paper['say'] = (text, params) => app.texts.text(call.language, name, text, params)
    const provinces = new Map((await dictionaryEntries(app, ['PROVINCE'], ADDRESSES)).map(({ v, k }) => [v, k]))
    const time = formatInstant(call.now).slice(0, 16)
    const paper: Paper = {
      title: say(`paper.${kind}`),
      made: say('paper.made', { staff: call.actor.name, time, count: rows.length }),
      say,
      rows: rows.map(row => ({ ...row, province: provinces.get(row.province ?? '') ?? row.province ?? '' })),
    }
    const content = await written(kind === 'labels' ? drawLabels : drawPickList, paper)
    return new FileAnswer(`${paper.title} ${time.replace(':', '')}.pdf`, 'application/pdf', content)
  }
  const paper = (kind: Kind, summary: string) =>
    route({
      method: 'POST',
      path: `/${name}/${kind}`,
      texts: name,
      access: { page: key, action: 'print' },
      body: z.strictObject({ ids: z.array(z.string().regex(ID)).min(1).max(MAX_PRINTED) }),
      answer: 'file',
      summary,
      handle: (call, { body }) => make(call, body.ids, kind),
    })
  return [
    paper('pick-list', 'What to take from the shelf for these shipments, as PDF.'),
    paper('labels', 'A label for each of these shipments, as PDF; they count as printed.'),
  ]
}

/** The parcels as they stand, each print logged. A label is printed only for what may leave. */
async function taken(op: Operation, given: readonly string[], kind: Kind): Promise<Shipment[]> {
  const ids = [...new Set(given)].sort((a, b) => Number(BigInt(a) - BigInt(b)))
  const rows: Shipment[] = []
  for (const id of ids) rows.push(await lockRow(op, resource, id))
  if (kind === 'labels') await requirePrintable(op, rows)
  for (const row of rows) {
    if (kind === 'labels')
      await writeChange(op, resource, row, { printedAt: op.now.toISOString(), reprint: false }, 'print')
    else await record(op.tx, op.call, { page: resource.screen.key, action: 'print', recordId: row.id })
  }
  return rows
}

async function requirePrintable(op: Operation, rows: readonly Shipment[]): Promise<void> {
  const facts = await factsOf(op.tx, rows)
  for (const { id, shipmentNo: no, status, waitsForStock } of rows) {
    if (status === 'HELD') throw new Refused(refuse('print-held', { no }))
    if (waitsForStock) throw new Refused(refuse('print-waits', { no }))
    if (facts.get(id)?.refundOpen) throw new Refused(refuse('print-refund', { no }))
  }
}
