import * as z from 'zod'
import { mayOpen, type Scope, scopeOf } from '#kit/model/actor.ts'
import { columnOf, type Right } from '#kit/model/field.ts'
import type { Language } from '#kit/model/language.ts'
import { mask } from '#kit/model/mask.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Label, Reference } from '#kit/model/resource.ts'
import { dayOf } from '#kit/model/time.ts'
import { askedNodes, treeOfNodes } from '#kit/model/tree.ts'
import { MAX_TYPED, readTyped } from '#kit/model/typed.ts'
import { holdersSql } from '../access/rights.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { requireReference } from '../declared.ts'
import { type Route, route } from '../http/route.ts'
import { belongsTo } from '../list/list.ts'
import { binder, offeredSql, outOfCare, peopleSql, scopeAmong, scopeSql } from '../list/scope.ts'
import { fitting } from '../list/search.ts'
import { labelColumns, readLabel } from '../list/select.ts'
import { readNodes } from '../list/tree.ts'
import { type Asking, findByPhone } from './phone-search.ts'
import { referencePages } from './reference-pages.ts'

const MAX_OPTIONS = 20
/** Chosen ones are all named. */
const MAX_CHOSEN = 100

const offered = z.literal('true').optional()
/** Only colleagues who hold this right, as far as the asker's scope on its page reaches. */
const holding = z
  .string()
  .regex(/^[\w-]{1,60}:[\w-]{1,60}$/)
  .optional()
const params = z.strictObject({ name: z.string().max(40) })
const labels = z.array(
  z.strictObject({ id: z.string(), name: z.string(), note: z.string().nullable(), tone: z.string().nullable() }),
)

/**
 * What pickers ask: records of another slice by what people call them, by phone where they have one, or the labels of ids
 * already chosen. `calls` are all others: they tell where pickers stand.
 */
export function referenceRoutes(app: App, calls: readonly Route[]): Route[] {
  // Asked for with the first picker: it needs the shapes of all calls.
  let known: ReadonlyMap<string, readonly string[]> | undefined
  const pagesOf = (name: string) => {
    known ??= referencePages(app.catalogue, calls)
    return known.get(name) ?? []
  }
  const asked = (name: string, call: Call<'session'>) => {
    const reference = app.catalogue.references.get(name)
    if (!reference) throw new Refused(refuse('kit:record-missing'), 'not-found')
    return { reference, asking: askingOn(pagesOf(name), call) }
  }
  return [
    route({
      method: 'GET',
      path: '/common/reference/:name',
      access: 'session',
      params,
      query: z.strictObject({
        query: z.string().trim().max(MAX_TYPED).optional(),
        ids: z
          .string()
          .regex(/^\d{1,18}(,\d{1,18}){0,99}$/)
          .optional(),
        /** Only those a form may take. */
        offered,
        holding,
      }),
      answer: labels,
      summary: 'Records to choose from, by what people call them.',
      async handle(call, { params, query }) {
        const { reference, asking } = asked(params.name, call)
        if (readTyped(query.query ?? '')?.kind === 'phone')
          throw new Refused(refuse('kit:phone-in-address'), 'parameter')
        const held = readRight(call, reference, query.holding)
        const found = await readLabels(app, reference, asking.scope, { ...query, ids: query.ids?.split(','), held })
        return found.map(withState(app, reference, call.language))
      },
    }),
    route({
      method: 'GET',
      path: '/common/reference/:name/tree',
      access: 'session',
      params,
      query: askedNodes,
      answer: treeOfNodes,
      summary: 'Records to choose from, as they stand below one another.',
      async handle(call, { params, query }) {
        const { reference } = asked(params.name, call)
        const isTree = app.catalogue.slices.some(({ resource }) => resource?.tree && resource.table === reference.table)
        if (!isTree) throw new Refused(refuse('kit:record-missing'), 'not-found')
        const { table, label, search, offered } = reference
        return readNodes(app.db, { table, name: label.name, search, offered }, query)
      },
    }),
    route({
      method: 'POST',
      path: '/common/reference/:name/find-by-phone',
      reads: true,
      access: 'session',
      params,
      body: z.strictObject({ phone: z.string().max(MAX_TYPED), offered }),
      answer: labels,
      summary: 'Who to choose, by a whole phone number, or a name and the last four digits; logged and limited.',
      async handle(call, { params, body }) {
        const { reference, asking } = asked(params.name, call)
        const { note } = reference.label
        if (note?.personal !== 'phone') throw new Refused(refuse('kit:record-missing'), 'not-found')
        const ids = await findByPhone(app, call, asking, { ...reference, column: note.column }, body.phone)
        return readLabels(app, reference, asking.scope, { ids, offered: body.offered })
      },
    }),
  ]
}

type Held = { readonly right: Right; readonly scope: Scope }
type Wanted = {
  query?: string | undefined
  ids?: readonly string[] | undefined
  offered?: 'true' | undefined
  held?: Held | undefined
}

function readRight({ actor }: Call<'session'>, { name }: Reference, holding: string | undefined): Held | undefined {
  if (holding === undefined) return undefined
  if (name !== 'staff') throw new Refused(refuse('kit:parameter-unknown', { name: 'holding' }), 'parameter')
  const [page = '', action = ''] = holding.split(':')
  return { right: { page, action }, scope: scopeOf(actor, page) }
}

async function readLabels(
  app: App,
  reference: Reference,
  scope: Scope,
  { query, ids, offered, held }: Wanted,
): Promise<Label[]> {
  const { bind, values } = binder()
  const parts = [scopeSql(reference, scope, bind)]
  if (ids) parts.push(`t.id = any(${bind(ids)}::bigint[])`)
  if (offered) parts.push(offeredSql(reference, dayOf(app.clock.now()), bind))
  if (held) parts.push(`t.id in (${holdersSql(held.right, bind)})`, peopleSql(held.scope, bind))
  const whose = reference.whose && { ...reference.whose, of: requireReference(app.catalogue, reference.whose.to) }
  if (query) parts.push(found(reference, whose, query, bind))
  const masks = scope.all ? undefined : reference.care?.masks?.[reference.label.name]
  // What is masked is not found out by searching for it either.
  if (query && masks) parts.push(outOfCare(reference))
  const where = parts.filter(part => part !== '').join(' and ')
  const columns = labelColumns(reference, 't').map(([part, sql]) =>
    whose && part === 'note' ? `${noted(sql, whose)} as "id:note"` : `${sql} as "id:${part}"`,
  )
  const open = masks ? outOfCare(reference) : 'true'
  const rows = await app.db.read.planned(
    `select t.id, ${open} as open, ${columns.join(', ')} from ${reference.table} t ${where && `where ${where}`} order by t.id desc limit ${ids ? MAX_CHOSEN : MAX_OPTIONS}`,
    values,
  )
  return rows.map(row => {
    const label = readLabel(reference, row, 'id')
    // Who is called by the own number, in part, is called so on.
    const isOpen = !masks || row.open === true || label.name === label.note
    return isOpen ? label : { ...label, name: mask(masks, label.name) }
  })
}

/** Its state in words before what else is said of it: two of one name may be told by it, and one that will not do. */
function withState({ catalogue, texts }: App, { label, table }: Reference, language: Language): (one: Label) => Label {
  const own = label.saysState && catalogue.slices.find(({ resource }) => resource?.table === table)?.resource
  const field = own && Object.keys(own.record.shape).find(name => columnOf(name) === label.tone)
  if (!own || field === undefined) return one => one
  return one => {
    const state = one.tone === null ? [] : [texts.text(language, own.screen.name, `${field}.${one.tone}`)]
    return { ...one, note: [...state, ...(one.note === null ? [] : [one.note])].join(' · ') || null }
  }
}

type Whose = { readonly column: string; readonly of: Reference }

function found(
  { search }: Reference,
  whose: Whose | undefined,
  typed: string,
  bind: (value: unknown) => string,
): string {
  const own = fitting(search, typed, bind)
  return whose ? `(${own} or ${belongsTo(whose.column, whose.of, whose.of.search, typed, bind)})` : own
}

const noted = (note: string, { column, of }: Whose): string =>
  `concat_ws(' · ', (select r.${of.label.name} from ${of.table} r where r.id = t.${column}), ${note})`

/** Whoever may open one of the pages it is used on may choose from it. */
function askingOn(pages: readonly string[], { actor }: Call<'session'>): Asking {
  const page = pages.find(page => mayOpen(actor, page))
  if (page === undefined) throw new Refused(refuse('kit:permission-missing'), 'permission')
  return { page, scope: scopeAmong(pages, actor) }
}
