import * as z from 'zod'
import { cardsOf } from '#areas/sales/chat-account/cards.server.ts'
import type { Page } from '#engines/copybook/drawing.model.ts'
import { pdfOf } from '#engines/copybook/pdf.server.ts'
import { pictureOf } from '#engines/copybook/server.ts'
import { svgOf } from '#engines/copybook/svg.model.ts'
import { onField, refusedFields } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import type { Call } from '#kit/server/call.ts'
import { record } from '#kit/server/change/audit.ts'
import { once } from '#kit/server/change/idempotency.ts'
import { operate } from '#kit/server/change/operation.ts'
import { lockRow } from '#kit/server/change/step.ts'
import { namingByPhone } from '#kit/server/choice/phone-search.ts'
import { packRoutes } from '#kit/server/file/pack.ts'
import { FileAnswer, idParams, type Route, type Routes, route } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { type Entered, enteredOf, hasLink, type NameSheet, type SheetResource, type Variant } from './fields.model.ts'
import {
  fileName,
  isOwn,
  keepSheets,
  LEAD_UNKNOWN,
  leadsOf,
  logMade,
  pagesOf,
  plain,
  recorded,
  type Sheet,
  usualLink,
  whyNotMade,
} from './making.server.ts'

/** The calls of a screen of sheets: its log, and what is made on it. */
export const serveSheets =
  (resource: SheetResource, variant: Variant): Routes =>
  app => [
    ...serve(resource)(app),
    previewRoute(app, resource, variant),
    makeRoute(app, resource, variant),
    ...(hasLink(variant) ? [usualRoute(app, resource, variant)] : []),
    ...(['pdf', 'picture'] as const).map(kind => fileRoute(app, resource, variant, kind)),
    ...packRoutes(app, resource, async row => ({
      name: fileName(app, recorded(row).name, 'pdf'),
      content: await pdf(app, variant, row),
    })),
  ]

async function pdf(app: App, variant: Variant, row: NameSheet): Promise<Buffer> {
  const sheet = recorded(row)
  const title = fileName(app, sheet.name, 'pdf')
  return pdfOf(await pagesOf(app, variant, sheet), { title, made: new Date(row.createdAt) })
}

async function requireMade(variant: Variant, sheet: Sheet): Promise<void> {
  const faults = await whyNotMade(variant, sheet)
  if (Object.keys(faults).length > 0) throw refusedFields(faults, 'validation')
}

/** Nothing is kept of it: who looks while typing makes nothing. */
function previewRoute(app: App, resource: SheetResource, variant: Variant): Route {
  const { name, key } = resource.screen
  return route({
    method: 'POST',
    path: `/${name}/preview`,
    texts: name,
    access: { page: key, action: 'make' },
    body: enteredOf(variant),
    answer: z.strictObject({ pages: z.array(z.string()) }),
    summary: 'The pages of a sheet as it would be made, as pictures of vectors.',
    async handle(_, { body }) {
      const sheet = plain(body as Entered)
      await requireMade(variant, sheet)
      return { pages: (await pagesOf(app, variant, sheet)).map(svgOf) }
    },
  })
}

function makeRoute(app: App, resource: SheetResource, variant: Variant): Route {
  const { name, key } = resource.screen
  const path = `/${name}/make`
  return route({
    method: 'POST',
    path,
    texts: name,
    access: { page: key, action: 'make' },
    body: enteredOf(variant),
    answer: z.strictObject({ id: z.string() }),
    summary: 'Keeps what is made for whom; its files are made from that.',
    async handle(call, { body }) {
      const sheet = plain(body as Entered)
      await requireMade(variant, sheet)
      const { leadPhone } = sheet
      const keep = () =>
        operate(app, call, op =>
          once(op.tx, call, path, body, async () => {
            const leads = await leadsOf(op.tx, op.actor, key, leadPhone === null ? [] : [leadPhone])
            const lead = leadPhone === null ? undefined : leads.get(leadPhone)
            if (leadPhone !== null && !lead) throw onField('leadPhone', LEAD_UNKNOWN)
            const [id] = (await keepSheets(op, variant, [{ sheet, lead, batch: null }])) as [string]
            await logMade(op, resource, id, sheet)
            return { id }
          }),
        )
      const answer = await (leadPhone === null ? keep() : namingByPhone(app, call, key, keep))
      app.counts.drop(resource.table)
      return answer
    },
  })
}

/** What a form begins with. */
function usualRoute(app: App, resource: SheetResource, variant: Variant): Route {
  const { name, key } = resource.screen
  return route({
    method: 'GET',
    path: `/${name}/usual`,
    texts: name,
    access: { page: key, action: 'make' },
    answer: z.strictObject({
      link: z.string().nullable(),
      offered: z.array(z.strictObject({ name: z.string(), link: z.string() })),
    }),
    summary: 'The link a sheet usually leads to, and the own chat accounts it may lead to.',
    handle: async ({ actor }) => ({
      link: await usualLink(app.db.query, variant, actor.id),
      offered: isOwn(variant) ? await cardsOf(app.db.query, actor.id) : [],
    }),
  })
}

const FILES = {
  pdf: { type: 'application/pdf', ending: 'pdf', summary: 'The sheet of a record as PDF.' },
  picture: { type: 'image/png', ending: 'png', summary: 'The first page of the sheet of a record as a picture.' },
} as const

/** The name stands on it in full: each is logged with the record it is of. */
function fileRoute(app: App, resource: SheetResource, variant: Variant, kind: keyof typeof FILES): Route {
  const { name, key } = resource.screen
  const { type, ending, summary } = FILES[kind]
  const taken = (call: Call<{ page: string; action: string }>, id: string) =>
    operate(app, call, async op => {
      const row = await lockRow(op, resource, id)
      await record(op.tx, call, { page: key, action: 'print', recordId: id })
      return row
    })
  return route({
    method: 'POST',
    path: `/${name}/:id/${kind}`,
    texts: name,
    access: { page: key, action: 'print' },
    params: idParams,
    answer: 'file',
    summary,
    async handle(call, { params }) {
      const row = await taken(call, params.id)
      const content =
        kind === 'pdf'
          ? await pdf(app, variant, row)
          : await pictureOf((await pagesOf(app, variant, recorded(row)))[0] as Page)
      return new FileAnswer(fileName(app, recorded(row).name, ending), type, content)
    },
  })
}
