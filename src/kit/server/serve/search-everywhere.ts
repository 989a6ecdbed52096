import { sql } from 'kysely'
import * as z from 'zod'
import { type Actor, can, scopeOf } from '#kit/model/actor.ts'
import { columnOf } from '#kit/model/field.ts'
import { type Found, found } from '#kit/model/found.ts'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import { dayOf } from '#kit/model/time.ts'
import { isEnough, isPersonal, MAX_TYPED, readTyped, type Typed } from '#kit/model/typed.ts'
import type { Workflow } from '#kit/model/workflow.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { briefOf, dictionariesOf } from '../choice/brief.ts'
import { findByPhone } from '../choice/phone-search.ts'
import { QUERY_CANCELLED, run, sqlState } from '../database/database.ts'
import type { Declared } from '../declared.ts'
import { type Route, route } from '../http/route.ts'
import { belongsTo, type ListEngine, openList, referencesSearched } from '../list/list.ts'
import type { Condition } from '../list/list-query.ts'
import { binder, maskedInCare, outOfCare, scopeAmong } from '../list/scope.ts'
import { isNaming, matching, ownColumns, ownFitting } from '../list/search.ts'
import { type PhoneFilter, phoneFilter } from './personal.ts'

export const ROWS_EACH = 3
/** Beyond these nobody reads on: more is typed instead. */
const MOST_LISTS = 8
/** Somebody is waiting with the fingers on the keys. */
const FIND_MS = 1_500
/** Of a number enough to tell it from others of its day. */
const END = /^\d{5,17}$/

type Searched = {
  readonly resource: Resource
  readonly workflow: Workflow | null
  readonly list: ListEngine
  readonly phone: PhoneFilter | undefined
}
/** What a row is found by, best first: it is called so, something of its own fits, it belongs to what fits. */
const RANKS = ['exact', 'own', 'belonging'] as const
/** One list asked in one way. */
type Question = { readonly of: Searched; readonly rank: (typeof RANKS)[number]; readonly condition: Condition }
type Hit = { readonly of: Searched; readonly id: string; readonly isExact: boolean }

/**
 * What somebody typed, asked of every list this person may see at once: by the columns of each list's own search, through
 * the list engine, so that scope and masks are those of the lists. A phone number is sent in the body and counts as elsewhere.
 */
export function searchRoute(app: App): Route {
  const lists = listsOf(app)
  return route({
    method: 'POST',
    path: '/common/search',
    reads: true,
    access: 'session',
    body: z.strictObject({ text: z.string().trim().min(1).max(MAX_TYPED) }),
    answer: z.strictObject({ records: z.array(found), isComplete: z.boolean() }),
    summary: 'The records that fit what was typed, of all lists of the caller; phone numbers are logged and limited.',
    async handle(call, { body: { text } }) {
      const seen = lists.filter(({ resource }) => can(call.actor, resource.screen.key, 'list'))
      const questions = await questionsFor(app, call, seen, text)
      const hits = await findHits(app, questions, call.actor)
      return { records: await shown(app, call, best(hits ?? [])), isComplete: hits !== undefined }
    },
  })
}

/** The lists that can be searched, in the order of the menu. */
function listsOf(app: App): Searched[] {
  const place = ({ resource }: Searched) => app.catalogue.screens.findIndex(({ name }) => name === resource.screen.name)
  return app.catalogue.slices
    .flatMap(({ resource, workflow }) => {
      if (!resource || resource.list.search.length === 0) return []
      const list = openList(resource, app.catalogue, app.db, app.counts)
      return [{ resource, workflow, list, phone: phoneFilter(app, resource) }]
    })
    .sort((one, other) => place(one) - place(other))
}

async function questionsFor(app: App, call: Call<'session'>, seen: readonly Searched[], text: string) {
  const typed = readTyped(text)
  if (!typed || !isEnough(text)) return []
  const asked = (list: Searched, as: Typed) => {
    const masked = maskedInCare(list.resource, scopeOf(call.actor, list.resource.screen.key))
    return textQuestions(app.catalogue, list, text, as, { now: call.now, masked })
  }
  if (!isPersonal(typed)) return seen.flatMap(list => asked(list, typed))
  // Four digits may well be part of a name where there are no people, or where they are written in one with it.
  const others = typed.kind === 'last-four' ? seen.filter(({ phone }) => typed.isJoined || !phone) : []
  const byPhone = await phoneQuestions(app, call, seen, text)
  return [...byPhone, ...others.flatMap(list => asked(list, { kind: 'name', text }))]
}

/** Whoever has the number, and what belongs to that person; looked for once, whichever lists are asked. */
async function phoneQuestions(app: App, call: Call<'session'>, seen: readonly Searched[], text: string) {
  const asked = seen.flatMap(of => (of.phone ? [{ of, phone: of.phone }] : []))
  const pages = asked.map(({ of }) => of.resource.screen.key)
  const questions: Question[] = []
  for (const [, lists] of Map.groupBy(asked, ({ phone: { table, column } }) => `${table}.${column}`)) {
    const [first] = lists
    if (!first) continue
    const asking = { page: first.of.resource.screen.key, scope: scopeAmong(pages, call.actor) }
    const ids = await findByPhone(app, call, asking, first.phone, text)
    for (const { of, phone } of lists)
      questions.push({
        of,
        rank: phone.field === 'id' ? 'own' : 'belonging',
        condition: conditionOn(phone.field, bind => `t.${columnOf(phone.field)} = any(${bind(ids)}::bigint[])`),
      })
  }
  return questions
}

const NOTHING: ReadonlySet<string> = new Set()

/** Asked is only what may hold such a text: no list of numbers for a name, no list of names for a number. */
export function textQuestions(
  catalogue: Declared,
  of: Searched,
  text: string,
  typed: Typed,
  { now = new Date(), masked = NOTHING }: { readonly now?: Date; readonly masked?: ReadonlySet<string> } = {},
): Question[] {
  const { resource } = of
  const codes = Object.keys(resource.record.shape).filter(field => metaOf(resource, field).kind === 'code')
  const isCode = (column: string) => codes.some(field => columnOf(field) === column)
  const own = ownColumns(catalogue, resource).filter(column => typed.kind !== 'name' || !isCode(column))
  // What others are found by is their name or their number: there is no third.
  const others = referencesSearched(catalogue, resource).flatMap(({ field, reference }) => {
    const search = reference.search.filter(column =>
      isNaming(column) ? typed.kind !== 'number' : typed.kind !== 'name',
    )
    return search.length > 0 ? [{ field, reference, search }] : []
  })
  const question = (rank: Question['rank'], field: string, condition: Condition['sql']): Question => ({
    of,
    rank,
    condition: conditionOn(field, condition),
  })
  const ending =
    typed.kind === 'number' && END.test(typed.text) ? (resource.list.ending?.(typed.text, dayOf(now)) ?? []) : []
  const title = columnOf(resource.title)
  // What is masked is not found out by searching for it either.
  const open = own.filter(column => !masked.has(column))
  const guarded = own.filter(column => masked.has(column))
  const ownQuestions = (columns: readonly string[], guard: string): Question[] => {
    const called = columns.filter(column => isCode(column) || column === 'name')
    const exact: Condition['sql'] = bind => `${matching(called, text, bind)}${guard}`
    const fits: Condition['sql'] = bind => `${ownFitting(resource.table, columns, text, bind)}${guard}`
    return [
      ...(called.length > 0 ? [question('exact', resource.title, exact)] : []),
      ...(columns.length > 0 ? [question('own', resource.title, fits)] : []),
    ]
  }
  return [
    ...(ending.length > 0
      ? [question('own', resource.title, bind => `t.${title} = any(${bind(ending)}::text[])`)]
      : []),
    ...ownQuestions(open, ''),
    ...(guarded.length > 0 ? ownQuestions(guarded, ` and ${outOfCare(resource)}`) : []),
    ...others.map(({ field, reference, search }) =>
      question('belonging', field, bind => belongsTo(field, reference, search, text, bind)),
    ),
  ]
}

const conditionOn = (field: string, condition: Condition['sql']): Condition => ({ field, key: field, sql: condition })

export const idsOf = ({ of, condition }: Question, actor: Actor, bind: (value: unknown) => string): string =>
  of.list.ids({ size: ROWS_EACH, sort: { field: 'id', descending: true }, conditions: [condition] }, actor, bind)

/** All questions in one statement, the newest few of each; nothing when that takes too long. */
async function findHits(
  app: App,
  questions: readonly Question[],
  actor: Actor,
): Promise<(Hit & Question)[] | undefined> {
  if (questions.length === 0) return []
  const { bind, values } = binder()
  const text = questions
    .map((question, at) => `(select ${at} as question, id::text from (${idsOf(question, actor, bind)}) ids)`)
    .join(' union all ')
  try {
    const rows = await app.db.query.transaction().execute(async tx => {
      // Many small parts: making machine code of them would take longer than running them.
      await sql`select set_config('statement_timeout', ${`${FIND_MS}`}, true), set_config('jit', 'off', true)`.execute(
        tx,
      )
      return run(tx, text, values)
    })
    return rows.map(({ question, id }) => {
      const asked = questions[Number(question)] as Question
      return { ...asked, id: String(id), isExact: asked.rank === 'exact' }
    })
  } catch (error) {
    if (sqlState(error) === QUERY_CANCELLED) return undefined
    throw error
  }
}

/** The best of them, each record once, though several screens show it. */
function best(hits: readonly (Hit & Question)[]): Map<Searched, Hit[]> {
  const rank = (hit: Question) => RANKS.indexOf(hit.rank)
  const kept = new Map<Searched, Hit[]>()
  const seen = new Set<string>()
  for (const hit of hits.toSorted((one, other) => rank(one) - rank(other))) {
    const record = `${hit.of.resource.table}:${hit.id}`
    const already = kept.get(hit.of) ?? []
    if (seen.has(record) || already.length === ROWS_EACH || (already.length === 0 && kept.size === MOST_LISTS)) continue
    seen.add(record)
    kept.set(hit.of, [...already, hit])
  }
  return kept
}

async function shown(app: App, call: Call<'session'>, hits: ReadonlyMap<Searched, readonly Hit[]>): Promise<Found[]> {
  const dictionaries = await dictionariesOf(app, [...hits.keys()], call.language)
  const records: Found[] = []
  for (const [of, wanted] of hits) {
    const rows = await of.list.some(
      wanted.map(({ id }) => id),
      call.actor,
    )
    for (const { id, isExact } of wanted) {
      const row = rows.find(candidate => candidate.id === id)
      if (!row) continue
      const brief = briefOf(app, of, row, call.language, dictionaries)
      records.push({
        screen: of.resource.screen.name,
        id,
        ...brief,
        isExact,
        path: pathOf(of, id, brief.title, call.actor),
      })
    }
  }
  return records
}

/** As a click on its row opens it; for whoever may list and not open it, the row. */
const pathOf = ({ resource: { screen } }: Searched, id: string, title: string, actor: Actor): string =>
  can(actor, screen.key, 'detail')
    ? `${screen.route}?open=${id}`
    : `${screen.route}?${new URLSearchParams({ query: title })}`
