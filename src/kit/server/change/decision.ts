import { type Actor, can, scopeOf } from '#kit/model/actor.ts'
import { DECIDED_DAYS, type Decision, type EarlierDecisions } from '#kit/model/decision.ts'
import { columnOf, type Tone } from '#kit/model/field.ts'
import type { Language } from '#kit/model/language.ts'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import type { App, Change } from '../app.ts'
import { type Row, run } from '../database/database.ts'
import type { DeclaredSlice } from '../declared.ts'
import { binder, boundsSql } from '../list/scope.ts'
import { selectOf } from '../list/select.ts'
import { announce, defineAnnouncement } from './announce.ts'
import { type Diff, TAKE_BACK } from './audit.ts'

/** What a person asked for lately is looked through, this many records or lines of the log, and the newest are told. */
const LOOKED_THROUGH = 500
const LINES_LOOKED_THROUGH = 5_000
const MOST_TOLD = 10
const DAY_MS = 86_400_000

type Written = {
  readonly logId: string
  readonly recordId: string
  readonly action: string
  readonly diff: Diff
  /** The line it takes back. */
  readonly undoes: string | undefined
}

export type DecidedOn = Pick<Written, 'logId' | 'action' | 'diff'> & {
  /** Whoever asked. */
  readonly staffId: string
  /** The screen of the record, by its name. */
  readonly screen: string
}
/** Somebody else has decided on what this person asked for: for whoever tells people so when their console is closed. */
export const askedDecided = defineAnnouncement<DecidedOn>('asked-decided')

/** Lets the open consoles of whoever asked for a record know that somebody else has just decided on it. */
export async function tellWhoAsked(
  change: Change,
  declared: Pick<Resource, 'table' | 'screen' | 'asked'>,
  { logId, recordId, action, diff, undoes }: Written,
): Promise<void> {
  const { app, tx, call } = change
  const { asked } = declared
  if (!asked || !('by' in asked ? asked.state in diff : undoes || asked.answers.includes(action))) return
  if (undoes && !('by' in asked)) {
    const [answer] = await run(tx, `select from operation_log l where l.id = $1 and l.action = any($2::text[])`, [
      undoes,
      asked.answers,
    ])
    if (!answer) return
  }
  const [row] = await run(
    tx,
    'by' in asked
      ? `select t.${columnOf(asked.by)} as id from ${declared.table} t where t.id = $1`
      : `select l.actor_id as id from operation_log l
         where l.record_id = $1 and l.page = $2 and l.action = any($3::text[]) and l.code = 0 order by l.id desc limit 1`,
    'by' in asked ? [recordId] : [recordId, declared.screen.key, asked.steps],
  )
  const staffId = row?.id == null ? undefined : String(row.id)
  if (staffId === undefined || staffId === call.actor?.id) return
  await app.signals.send(tx, 'decided', { staffId, logId })
  await announce(change, askedDecided, { staffId, logId, action, diff, screen: declared.screen.name })
}

/** What was decided on, and what came of it, in words that name no record and no person. */
export function decidedInWords(app: App, { screen, action, diff }: DecidedOn, language: Language) {
  const slice = askedSlices(app).find(({ name }) => name === screen)
  if (!slice) throw new Error(`${screen} has no one to be told of decisions`)
  return {
    what: app.texts.text(language, screen, 'title'),
    state: outcome(app, slice, { action, diff }, language).state,
  }
}

type Line = {
  id: string
  record_id: string
  action: string
  diff: Diff
  actor_name: string
  at: string
  reason: string
}
type Found = { readonly line: Line; readonly slice: DeclaredSlice & { resource: Resource } }

const askedSlices = (app: App) =>
  app.catalogue.slices.filter((slice): slice is Found['slice'] => slice.resource?.asked !== undefined)

/** The newest decisions of others on what a person asked for; nothing for who neither asked nor may ask for anything. */
export async function decisionsFor(app: App, actor: Actor, now: Date, language: Language): Promise<Decision[] | null> {
  const { found } = await newest(app, actor, language, { since: new Date(now.getTime() - DECIDED_DAYS * DAY_MS) })
  const told = found.map(one => inWords(app, one, language))
  return told.length > 0 || askedSlices(app).some(({ resource }) => mayAsk(resource, actor)) ? told : null
}

/** What was decided before, as far back as the person's records are looked through: who was away finds it here. */
export async function decisionsBefore(
  app: App,
  actor: Actor,
  language: Language,
  before: string | undefined,
): Promise<EarlierDecisions> {
  const { found, next } = await newest(app, actor, language, { before })
  return { records: found.map(one => inWords(app, one, language)), before: next }
}

type Span = { readonly since?: Date; readonly before?: string | undefined }

/** The newest lines of all slices within a span, and of them what is in reach; `next` when there are lines before these. */
async function newest(app: App, actor: Actor, language: Language, span: Span) {
  const lines = (await Promise.all(askedSlices(app).map(slice => linesOf(app, slice, actor, span)))).flat()
  lines.sort((one, other) => Number(BigInt(other.line.id) - BigInt(one.line.id)))
  const cut = lines.slice(0, MOST_TOLD)
  const bySlice = [...Map.groupBy(cut, ({ slice }) => slice)]
  const reached = await Promise.all(
    bySlice.map(async ([{ resource }, own]) => {
      const ids = new Set(own.map(({ line }) => line.record_id))
      const records = await recordsInReach(app, resource, [...ids], actor, language)
      return own.map(({ line }) => [line.id, records.get(line.record_id)] as const)
    }),
  )
  const known = new Map(reached.flat())
  const found = cut.flatMap(one => {
    const record = known.get(one.line.id)
    return record ? [{ ...one, record }] : []
  })
  return { found, next: cut.length < MOST_TOLD ? null : (cut.at(-1)?.line.id ?? null) }
}

const inWords = (app: App, { line, slice, record }: Found & { record: Named }, language: Language): Decision => ({
  id: line.id,
  screen: slice.resource.screen.name,
  what: app.texts.text(language, slice.resource.screen.name, 'title'),
  ...outcome(app, slice, line, language),
  by: line.actor_name,
  at: new Date(line.at).toISOString(),
  reason: line.reason,
  ...record,
})

const mayAsk = ({ screen, asked }: Resource, actor: Actor): boolean =>
  (asked && 'steps' in asked ? asked.steps : ['create']).some(action => can(actor, screen.key, action))

async function linesOf(app: App, slice: Found['slice'], actor: Actor, span: Span): Promise<Found[]> {
  const { text, values } = linesSql(slice.resource, actor.id, span)
  const lines = (await app.db.read.rows(text, values)) as Line[]
  return lines.map(line => ({ line, slice }))
}

/**
 * Per record the line of the log it stands by now, where that is another's decision: what was taken back, and what the person
 * took back himself, is no longer so. From his own records on: no index leads from a decision to its asker.
 */
function linesSql(
  { table, screen, asked }: Resource,
  me: string,
  { since, before }: Span,
): { text: string; values: unknown[] } {
  const { bind, values } = binder()
  const [who, page] = [bind(me), bind(screen.key)]
  const columns = 'l.id, l.record_id, l.action, l.diff, l.actor_name, l.at, l.reason'
  const standing = (mine: string, decides: string) => `select ${columns} from (${mine}) mine cross join lateral (
      select ${columns}, l.actor_id from operation_log l
      where l.page = ${page} and l.record_id = mine.id and l.code = 0 and ${decides}
        and not (l.undoes is not null and l.actor_id is not distinct from ${who}::bigint)
        and not exists (select from line_taken_back u where u.line_id = l.id)
      order by l.id desc limit 1) l
    where l.actor_id is distinct from ${who}::bigint
    ${since ? `and l.at >= ${bind(since)}` : ''} ${before === undefined ? '' : `and l.id < ${bind(before)}::bigint`}
    order by l.id desc limit ${MOST_TOLD}`
  if (asked && 'by' in asked) {
    const mine = `select t.id from ${table} t where t.${columnOf(asked.by)} = ${who}::bigint order by t.id desc limit ${LOOKED_THROUGH}`
    return { text: standing(mine, `l.diff ? ${bind(asked.state)}`), values }
  }
  const { steps = [], answers = [] } = asked ?? {}
  const asking = bind(steps)
  const lately = `select o.record_id, o.page, o.action from operation_log o where o.actor_id = ${who}::bigint order by o.id desc limit ${LINES_LOOKED_THROUGH}`
  const mine = `select distinct o.record_id as id from (${lately}) o where o.page = ${page} and o.action = any(${asking}::text[])`
  const asker = `(select a.actor_id from operation_log a where a.page = ${page} and a.record_id = l.record_id
    and a.action = any(${asking}::text[]) and a.code = 0 and a.id < l.id order by a.id desc limit 1)`
  const answer = `any(${bind(answers)}::text[])`
  // An answer that is taken back is told too: what was asked for is open again.
  const answered = `(l.action = ${answer} or exists (select from operation_log u where u.id = l.undoes and u.action = ${answer}))`
  return { text: standing(mine, `${answered} and ${asker} = ${who}::bigint`), values }
}

type Named = Pick<Decision, 'name' | 'path'>

/**
 * By id, those records the person sees: on their own screen, on another that stands on the same table, or by way of what
 * they are named by, as an examination is by its order. What is in none of these is not told, though he asked for it.
 */
async function recordsInReach(
  app: App,
  resource: Resource,
  ids: readonly string[],
  actor: Actor,
  language: Language,
): Promise<ReadonlyMap<string, Named>> {
  const named = new Map<string, Named>()
  if (ids.length === 0) return named
  const screens = app.catalogue.slices.flatMap(slice =>
    slice.resource?.table === resource.table ? slice.resource : [],
  )
  for (const screen of [resource, ...screens]) {
    const rest = ids.filter(id => !named.has(id))
    for (const [id, record] of await rowsInReach(app, screen, rest, actor, language)) named.set(id, record)
  }
  const title = metaOf(resource, resource.title)
  const rest = ids.filter(id => !named.has(id))
  if (title.kind !== 'reference' || rest.length === 0) return named
  const subject = app.catalogue.slices.find(({ reference }) => reference?.name === title.to)?.resource
  if (!subject) return named
  const links = await app.db.read.rows(
    `select t.id, t.${columnOf(resource.title)} as subject from ${resource.table} t where t.id = any($1::bigint[])`,
    [rest],
  )
  const subjects = await rowsInReach(app, subject, [...new Set(links.map(row => String(row.subject)))], actor, language)
  for (const link of links) {
    const record = subjects.get(String(link.subject))
    if (record) named.set(String(link.id), record)
  }
  return named
}

async function rowsInReach(
  app: App,
  resource: Resource,
  ids: readonly string[],
  actor: Actor,
  language: Language,
): Promise<Map<string, Named>> {
  const { key, route } = resource.screen
  if (ids.length === 0 || !can(actor, key, 'list')) return new Map()
  const { bind, values } = binder()
  const { select, joins, read } = selectOf(resource, app.catalogue)
  const rule = boundsSql(resource, scopeOf(actor, key), bind)
  const rows = await app.db.read.rows(
    `select ${select} from ${resource.table} t ${joins} where t.id = any(${bind(ids)}::bigint[])${rule && ` and ${rule}`}`,
    values,
  )
  return new Map(
    rows.map(read).map(row => {
      const id = String(row.id)
      const said = app.namings.get(resource.screen.name)?.(row, language)[resource.title]
      const name = said ?? row.labels[resource.title]?.name ?? String((row as Row)[resource.title])
      return [id, { name, path: can(actor, key, 'detail') ? `${route}?open=${id}` : null }]
    }),
  )
}

/** The state it came to, as its list shows it; where the record has none, the step that was taken. What was undone is said to be. */
function outcome(
  app: App,
  { resource, workflow }: Found['slice'],
  { action, diff }: Pick<Line, 'action' | 'diff'>,
  language: Language,
) {
  const say = (key: string) => app.texts.text(language, resource.screen.name, key)
  const { asked } = resource
  const field = asked && 'by' in asked ? asked.state : action === TAKE_BACK ? workflow?.field : undefined
  const meta = field ? metaOf(resource, field) : undefined
  if (field && meta?.kind === 'choice') {
    const after = String(diff[field]?.[1])
    const state = say(`${field}.${after}`)
    const tone: Tone = meta.tones[after] ?? 'idle'
    return { state: action === TAKE_BACK ? app.texts.text(language, 'kit', 'taken-back-to', { state }) : state, tone }
  }
  const step = workflow?.steps[action]
  // What ended by itself is nobody's step.
  const tone: Tone = !step ? 'idle' : step.danger ? 'failed' : 'done'
  return { state: say(`step.${action}`), tone }
}
