import { columnOf } from '#kit/model/field.ts'
import type { Language } from '#kit/model/language.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Resource } from '#kit/model/resource.ts'
import { dayOf } from '#kit/model/time.ts'
import type { Workflow } from '#kit/model/workflow.ts'
import type { App, Listener } from '#kit/server/app.ts'
import { allSaid, announce, defineAnnouncement, saying } from '#kit/server/change/announce.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { run } from '#kit/server/database/database.ts'
import { type Belonging, type Handover, resource } from './model.ts'

/** Whose it was, whose it is now, and where that person works. */
export type StaffHandedOver = {
  readonly fromId: string
  readonly toId: string
  readonly toName: string
  readonly orgId: string
  /** Whether the first one works here no longer. */
  readonly isLeave: boolean
}

/** All that is one person's becomes another's: each area moves its own, or refuses and nothing moves. */
export const staffHandedOver = defineAnnouncement<StaffHandedOver>('staff-handed-over')

/** Somebody works in another department from now on: what is that person's goes along. */
export const staffMoved = defineAnnouncement<{ readonly staffId: string; readonly orgId: string }>('staff-moved')

type Counted = {
  /** The slice whose list the records stand in, and its text that says what somebody is to them. */
  readonly what: string
  readonly moves: boolean
  readonly table: string
  /** Which of its rows are somebody's: that person is $1, and today $2, where that matters. */
  readonly where: string
}

const belongingsAsked = defineAnnouncement<(kind: Counted) => void>('belongings-asked')

/** For the `listeners` of a slice whose records are somebody's by other fields than an owner's: told before a hand-over, and what moves asked about after it. */
export const belongs = (kind: Omit<Counted, 'moves'> & { readonly moves?: false }): Listener =>
  saying(belongingsAsked, { moves: true, ...kind })

/** What has an owner, or one who cares for it, goes into other hands; of a group that cares it stays. */
function owned({ table, screen, scope, carer, care, isPast }: Resource, by: string | undefined): Counted[] {
  if (isPast) return []
  const whose = (key: string, field: string) => ({
    what: `${screen.name}:${key}`,
    moves: true,
    table,
    where: `${columnOf(field)} = $1`,
  })
  return [
    ...(scope === 'owned' ? [whose('title', 'ownerId')] : []),
    ...(carer !== undefined && carer !== by && !care ? [whose(`field.${carer}`, carer)] : []),
  ]
}

/** What somebody asked for, and others have still to decide, stays that person's. */
function asked({ table, screen }: Resource, workflow: Workflow | null, by: string | undefined): Counted[] {
  const open = Object.values(workflow?.steps ?? {}).flatMap(step =>
    step.awaits && step.from !== 'any' ? (step.from as readonly string[]) : [],
  )
  if (by === undefined || open.length === 0 || !workflow?.field) return []
  const states = [...new Set(open)].map(state => `'${state}'`).join(', ')
  const where = `${columnOf(by)} = $1 and ${columnOf(workflow.field)} in (${states})`
  return [{ what: `${screen.name}:field.${by}`, moves: false, table, where }]
}

/** What can be somebody's, read from what the slices declare. Of several screens on one table the first tells of its owners. */
export async function kindsOf({ catalogue: { slices }, listeners }: Declared): Promise<Counted[]> {
  const told = new Set<string>([resource.table])
  const kinds = slices.flatMap(({ resource: declared, workflow }): Counted[] => {
    if (!declared) return []
    const by = declared.asked && 'by' in declared.asked ? declared.asked.by : undefined
    const isFirst = !told.has(declared.table)
    told.add(declared.table)
    return [...(isFirst ? owned(declared, by) : []), ...asked(declared, workflow, by)]
  })
  return [...kinds, ...(await allSaid({ listeners }, belongingsAsked)), LED]
}
type Declared = Pick<App, 'catalogue' | 'listeners'>

/** How much of each kind is somebody's; what there is none of is left out. */
export async function belongingsOf(declared: Declared, db: Queries, staffId: string, now: Date) {
  const kinds = await kindsOf(declared)
  const counts = kinds.map(
    ({ table, where }, at) => `select ${at} as at, count(*)::int as n from ${table} where ${where}`,
  )
  const values = counts.some(count => count.includes('$2')) ? [staffId, dayOf(now)] : [staffId]
  const rows = await run(db, `${counts.join(' union all ')} order by at`, values)
  return rows.flatMap(({ at, n }): Belonging[] => {
    const { what, moves } = kinds[Number(at)] as Counted
    return Number(n) > 0 ? [{ what, moves, count: Number(n) }] : []
  })
}
/** Who leads a department next is for people to say. */
const LED: Counted = {
  what: 'organisation/department:field.managerId',
  moves: false,
  table: 'org',
  where: 'manager_id = $1',
}

/** In the reader's words: the list the records stand in, and for whom else than their owner somebody was to them. */
export const inWords = (
  { texts }: Pick<App, 'texts'>,
  language: Language,
  belongings: readonly Belonging[],
): Belonging[] =>
  belongings.map(({ what, ...rest }) => {
    const [slice = '', key = ''] = what.split(':')
    const list = texts.text(language, slice, 'title')
    return { ...rest, what: key === 'title' ? list : `${list} · ${texts.text(language, slice, key)}` }
  })

/** Whole or not at all: whatever is still somebody's afterwards, because no area took it, undoes everything. */
export async function handOverAll(op: Operation, to: StaffHandedOver): Promise<void> {
  const { app, tx, now, call, actor } = op
  const before = await belongingsOf(app, tx, to.fromId, now)
  await announce(op, staffHandedOver, to)
  const left = (await belongingsOf(app, tx, to.fromId, now)).find(({ moves }) => moves)
  if (left) throw new Refused(refuse('not-moved', { what: inWords(app, call.language, [left])[0]?.what ?? left.what }))
  await tx
    .insertInto('staff_handover')
    .values({
      staff_id: to.fromId,
      to_id: to.toId,
      by_id: actor.id,
      at: now,
      is_leave: to.isLeave,
      moved: JSON.stringify(before),
    })
    .execute()
}

/** What went into other hands, the latest first. */
export async function handoversOf(app: App, staffId: string, language: Language): Promise<Handover[]> {
  const rows = await app.db.query
    .selectFrom('staff_handover as h')
    .innerJoin('staff as t', 't.id', 'h.to_id')
    .leftJoin('staff as b', 'b.id', 'h.by_id')
    .select(['h.id', 'h.at', 't.name as to', 'b.name as by', 'h.is_leave as isLeave', 'h.moved'])
    .where('h.staff_id', '=', staffId)
    .orderBy('h.id', 'desc')
    .limit(50)
    .execute()
  return rows.map(({ moved, ...row }) => ({ ...row, moved: inWords(app, language, moved as Belonging[]) }))
}
