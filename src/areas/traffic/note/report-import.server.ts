import { sql } from 'kysely'
import { choice, day, dictionary, number, optional, text } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { dayOf, startOfDay } from '#kit/model/time.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { defineImport, type ImportRow, type RowError } from '#kit/server/import/definition.ts'
import { MOST, NOTE_TYPES, noteNo, resource } from './model.ts'

const counted = () => number(0, MOST)

const columns = {
  noteNo: noteNo(),
  day: day(),
  reads: counted(),
  likes: counted(),
  saves: counted(),
  comments: counted(),
  messages: counted(),
  title: optional(text(200)),
  account: optional(dictionary('XHS_ACCOUNT')),
  noteType: optional(choice(NOTE_TYPES)),
  publishedOn: optional(day()),
}
type ReportRow = ImportRow<typeof columns>

/**
 * The platform's report, a line for each note and day. A day told again replaces what was told before; a note nobody knows is added
 * where the line says what it is.
 */
export const reportImport = defineImport({
  screen: resource.screen,
  columns,
  async check({ app, now }, rows) {
    const known = await knownOf(app.db.query, rows)
    const first = new Map<string, number>()
    for (const { no, values } of rows.toReversed()) first.set(keyOf(values), no)
    return new Map(rows.map(row => [row.no, whatSpeaksAgainst(row, { known, first, today: dayOf(now) })]))
  },
  apply: take,
})

const keyOf = (values: Pick<ReportRow['values'], 'noteNo' | 'day'>): string => `${values.noteNo} ${values.day}`

type Known = {
  readonly known: ReadonlyMap<string, string>
  readonly first: ReadonlyMap<string, number>
  readonly today: string
}

function whatSpeaksAgainst({ no, values }: ReportRow, { known, first, today }: Known): RowError[] {
  const before = first.get(keyOf(values))
  const isWhole = values.title !== null && values.account !== null
  return [
    ...(before === undefined || before === no ? [] : [{ ...refuse('day-twice', { row: before }), field: 'day' }]),
    ...(['day', 'publishedOn'] as const)
      .filter(field => (values[field] ?? today) > today)
      .map(field => ({ ...refuse('day-to-come'), field })),
    ...(known.has(values.noteNo) || isWhole ? [] : [{ ...refuse('note-unknown'), field: 'noteNo' }]),
  ]
}

async function knownOf(db: Queries, rows: readonly ReportRow[]): Promise<ReadonlyMap<string, string>> {
  const numbers = [...new Set(rows.map(({ values }) => values.noteNo))]
  const found = await sql<{ id: string; noteNo: string }>`
    select id, note_no as "noteNo" from note where note_no = any(${numbers}::text[])`.execute(db)
  return new Map(found.rows.map(({ id, noteNo: of }) => [of, id]))
}

async function take(op: Operation, rows: readonly ReportRow[]): Promise<readonly string[]> {
  await addUnknown(op, rows)
  // Whoever brings another report of the same notes waits: the newest day is asked of what both have brought.
  const { rows: notes } = await sql<{ id: string; noteNo: string }>`
    select id, note_no as "noteNo" from note where note_no = any(${rows.map(({ values }) => values.noteNo)}::text[])
    order by id for update`.execute(op.tx)
  const ids = new Map(notes.map(({ id, noteNo: of }) => [of, id]))
  const told = rows.map(({ values }) => ({ ...values, noteId: ids.get(values.noteNo) }))
  if (told.some(({ noteId }) => noteId === undefined)) throw new Refused(refuse('note-unknown'))
  await sql`
    insert into note_snapshot (note_id, day, reads, likes, saves, comments, messages, reported_at)
    select t."noteId", t.day, t.reads, t.likes, t.saves, t.comments, t.messages, ${op.now}
    from jsonb_to_recordset(${JSON.stringify(told)}::jsonb)
      as t ("noteId" bigint, day date, reads int, likes int, saves int, comments int, messages int)
    on conflict (note_id, day) do update set reads = excluded.reads, likes = excluded.likes, saves = excluded.saves,
      comments = excluded.comments, messages = excluded.messages, reported_at = excluded.reported_at`.execute(op.tx)
  await standAsReported(
    op,
    notes.map(({ id }) => id),
  )
  return rows.map(({ values }) => ids.get(values.noteNo) as string)
}

/** Notes the platform tells of first: the line says what they are. */
async function addUnknown({ tx, now }: Operation, rows: readonly ReportRow[]): Promise<void> {
  const whole = rows.flatMap(({ values: { title, account, noteType, publishedOn, day: on, noteNo: of } }) =>
    title === null || account === null
      ? []
      : [{ of, title, account, type: noteType ?? 'PICTURES', at: startOfDay(publishedOn ?? on).toISOString() }],
  )
  await sql`
    insert into note (note_no, title, account, note_type, published_at, created_at)
    select distinct on (w.of) w.of, w.title, w.account, w.type, w.at, ${now}
    from jsonb_to_recordset(${JSON.stringify(whole)}::jsonb) as w (of text, title text, account text, type text, at timestamptz)
    order by w.of, w.at on conflict (note_no) do nothing`.execute(tx)
}

async function standAsReported({ tx }: Operation, ids: readonly string[]): Promise<void> {
  await sql`
    update note n set reported_on = s.day, reads = s.reads, likes = s.likes, saves = s.saves, comments = s.comments,
      messages = s.messages, version = n.version + 1
    from (select distinct on (note_id) * from note_snapshot where note_id = any(${ids}::bigint[]) order by note_id, day desc) s
    where s.note_id = n.id`.execute(tx)
}
