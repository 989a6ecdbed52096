import { Readable } from 'node:stream'
import * as z from 'zod'
import { can } from '#kit/model/actor.ts'
import { ID } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { formatInstant } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import type { Call } from '#kit/server/call.ts'
import { record } from '#kit/server/change/audit.ts'
import { callLater, type Operation, operate } from '#kit/server/change/operation.ts'
import { lockRow, writeChange } from '#kit/server/change/step.ts'
import { dictionaryEntries } from '#kit/server/choice/dictionary.ts'
import { askForPapers, type PapersRequest, PRINT_RIGHT_GONE } from '#kit/server/file/pack.ts'
import { FileAnswer, type Routes, route } from '#kit/server/http/route.ts'
import type { Outcome, RunningTask } from '#kit/server/work/task.ts'
import { factsOf } from './fulfilment.server.ts'
import { MAX_PRINTED, PRINTED_AT_ONCE, resource, type Shipment } from './model.ts'
import { drawLabels, drawPickList, type Paper, written } from './sheets.server.ts'

type Kind = 'pick-list' | 'labels'
type Asked = PapersRequest & { readonly kind: Kind }
type Printing = Pick<Call<'session'>, 'actor' | 'language' | 'now'>

const { name: NAME, key: PAGE } = resource.screen
const PDF = 'application/pdf'
const DRAWINGS = { 'pick-list': drawPickList, labels: drawLabels } as const
/** Whoever carries a parcel reads Chinese, whatever is spoken where its label was printed. */
const ADDRESSES = 'zh-CN'

/** Paper for the warehouse: few parcels at once, many by a task. Receivers stand on it in full: each print is logged with the parcel it is of. */
export const paperRoutes: Routes = app => {
  app.packs.set(NAME, task => printLater(app, task))
  const paper = (kind: Kind, summary: string) =>
    route({
      method: 'POST',
      path: `/${NAME}/${kind}`,
      texts: NAME,
      access: { page: PAGE, action: 'print' },
      body: z.strictObject({ ids: z.array(z.string().regex(ID)).min(1).max(MAX_PRINTED) }),
      answer: z.strictObject({ taskId: z.string() }).meta({ orFile: PDF }),
      summary: `${summary} Above ${PRINTED_AT_ONCE}, the task that makes it.`,
      async handle(call, { body }) {
        // In one order, so that two who print the same parcels wait for each other and no more.
        const ids = [...new Set(body.ids)].sort((a, b) => Number(BigInt(a) - BigInt(b)))
        const title = titleOf(app, call, kind)
        if (ids.length > PRINTED_AT_ONCE)
          return { taskId: await askForPapers(app, call, { screen: NAME, ids, kind }, title) }
        const rows = await operate(app, call, async op => {
          const standing = await parcelsOf(op, ids, kind)
          await keepPrinted(op, standing, kind)
          return standing
        })
        app.counts.drop(resource.table)
        return new FileAnswer(`${title}.pdf`, PDF, await written(DRAWINGS[kind], await paperOf(app, call, rows, kind)))
      },
    })
  return [
    paper('pick-list', 'What to take from the shelf for these shipments, as PDF.'),
    paper('labels', 'A label for each of these shipments, as PDF; they count as printed.'),
  ]
}

const titleOf = (app: App, { language, now }: Printing, kind: Kind): string =>
  `${app.texts.text(language, NAME, `paper.${kind}`)} ${minuteOf(now).replace(':', '')}`
const minuteOf = (now: Date): string => formatInstant(now).slice(0, 16)

async function paperOf(app: App, call: Printing, rows: readonly Shipment[], kind: Kind): Promise<Paper> {
  const say: Paper['say'] = (text, params) => app.texts.text(call.language, NAME, text, params)
  const provinces = new Map((await dictionaryEntries(app, ['PROVINCE'], ADDRESSES)).map(({ v, k }) => [v, k]))
  return {
    title: say(`paper.${kind}`),
    made: say('paper.made', { staff: call.actor.name, time: minuteOf(call.now), count: rows.length }),
    say,
    rows: rows.map(row => ({ ...row, province: provinces.get(row.province ?? '') ?? row.province ?? '' })),
  }
}

/** Drawn from the parcels as they stand when it begins; they count as printed with the file, or not at all. */
async function printLater(app: App, task: RunningTask): Promise<Outcome> {
  const { ids, kind, ...errand } = task.request as Asked
  const actor = await app.sessions.actor(task.ownerId)
  if (!actor || !can(actor, PAGE, 'print')) throw new Refused(PRINT_RIGHT_GONE)
  const call = callLater(app, actor, errand)
  const rows = await operate(app, call, op => parcelsOf(op, ids, kind))
  const content = await written(DRAWINGS[kind], await paperOf(app, call, rows, kind), parcels => {
    task.signal.throwIfAborted()
    task.progress(parcels)
  })
  const file = await app.files.write(
    () => Readable.from([content]),
    { name: `${task.title}.pdf`, type: PDF },
    task.signal,
  )
  return {
    rows: rows.length,
    fileId: file.id,
    async keep(tx) {
      await app.files.keep(tx, file, { purpose: 'export', ownerId: actor.id, now: call.now, taskId: task.id })
      const op = { app, tx, now: call.now, actor, call }
      await keepPrinted(op, await parcelsOf(op, ids, kind), kind, new Map(rows.map(row => [row.id, row.version])))
    },
    discard: () => app.files.discard(file.id),
  }
}

/** The parcels as they stand. A label is printed only for what may leave. */
async function parcelsOf(op: Operation, ids: readonly string[], kind: Kind): Promise<Shipment[]> {
  const rows: Shipment[] = []
  for (const id of ids) rows.push(await lockRow(op, resource, id))
  if (kind === 'labels') await requirePrintable(op, rows)
  return rows
}

/** Each print is logged. What was changed after it was drawn needs its label again. */
async function keepPrinted(
  op: Operation,
  rows: readonly Shipment[],
  kind: Kind,
  drawn?: ReadonlyMap<string, number>,
): Promise<void> {
  for (const row of rows) {
    const reprint = drawn !== undefined && drawn.get(row.id) !== row.version
    if (kind === 'labels') await writeChange(op, resource, row, { printedAt: op.now.toISOString(), reprint }, 'print')
    else await record(op.tx, op.call, { page: PAGE, action: 'print', recordId: row.id })
  }
}

/** Named whole: a task says why in a room of the kit. */
async function requirePrintable(op: Operation, rows: readonly Shipment[]): Promise<void> {
  const facts = await factsOf(op.tx, rows)
  for (const { id, shipmentNo: no, status, waitsForStock } of rows) {
    if (status === 'HELD') throw new Refused(refuse('logistics/shipment:print-held', { no }))
    if (waitsForStock) throw new Refused(refuse('logistics/shipment:print-waits', { no }))
    if (facts.get(id)?.refundOpen) throw new Refused(refuse('logistics/shipment:print-refund', { no }))
  }
}
