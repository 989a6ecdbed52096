import { fieldMeta } from '#kit/model/field.ts'
import type { Resource } from '#kit/model/resource.ts'
import type { Change } from '../app.ts'
import { type Row, run, type Tx } from '../database/database.ts'
import { allSaid, announce, defineAnnouncement, saying } from './announce.ts'
import { forgetCopies, forgetFiles } from './erasure-copies.ts'
import { phoneHash } from './erasure-proof.ts'

/** Of whom everything is to be forgotten: the member records name, and the numbers that lead to this person alone. */
export type Person = { readonly memberId: string; readonly phone: string; readonly phones: readonly string[] }

/** What a table keeps of a person and what becomes of it: said by the slice that owns the table (decision 072). */
export type Forgetting = {
  readonly table: string
  /** The rows that are about the person, in SQL over `t`: $1 is the member, $2 the numbers. Those that name the member, unless said. */
  readonly where?: string
  /** What stands there afterwards, in SQL, by column. */
  readonly becomes: Readonly<Record<string, string>>
  /** Columns of those by which copies elsewhere are recognised: names, numbers, addresses. */
  readonly known?: readonly string[]
  /** Proof of money, which the books need as long as themselves. */
  readonly keepsFiles?: true
}

const asked = defineAnnouncement<(told: Forgetting) => void>('forgetting')

/** For the `listeners` of the slice that owns the tables. */
export const forgets = (...told: readonly Forgetting[]) => saying(asked, ...told)

/** All that slices keep of persons. */
export const allForgetting = (app: Change['app'] | Pick<Change['app'], 'listeners'>) => allSaid(app, asked)

/** For whatever is no column to be emptied; told while rows still say what they are about. */
export const personErased = defineAnnouncement<Person>('person-erased')

/** Takes everything personal out of every table, file, log line and copy, in the caller's transaction; amounts, states and times stay. */
export async function erase(change: Change, person: Person): Promise<void> {
  await eraseKept(change, person)
  await run(
    change.tx,
    `insert into erasure (member_id, phone_hash, erased_at) values ($1, $2, $3)
     on conflict (member_id) do update set erased_at = excluded.erased_at, gone_over = 0`,
    [person.memberId, phoneHash(change.app.env, person.phone), change.now],
  )
}

/**
 * Of whoever was erased, what work that was under way then has written since, found by the member alone: numbers and names are
 * known no more. Of the member's own row nothing is written any more, and its log says when it was closed.
 */
export async function eraseAfterwards(change: Change, memberId: string): Promise<void> {
  const person = { memberId, phone: '', phones: [] }
  const told = (await allForgetting(change.app)).filter(({ table }) => table !== 'member')
  const found = await foundOf(change, person, told)
  await announce(change, personErased, person)
  for (const one of found) await forget(change, person, one)
  await forgetCopies(change, { ...person, known: [], lists: [] })
  await run(change.tx, 'update erasure set gone_over = gone_over + 1 where member_id = $1', [memberId])
}

/** No member has this id. */
const NO_MEMBER = '0'

/** As `erase`, of whoever never was a member: what slices keep by the number alone, and copies by what else the person is known by. */
export const eraseNumber = (change: Change, phone: string, known: readonly string[]): Promise<void> =>
  eraseKept(change, { memberId: NO_MEMBER, phone, phones: [phone] }, known.filter(isTelling))

async function eraseKept(change: Change, person: Person, words: readonly string[] = []): Promise<void> {
  const told = await allForgetting(change.app)
  const found = await foundOf(change, person, told)
  const kept = found.flatMap(({ rows, known: columns = [] }) => wordsOf(rows, columns))
  await announce(change, personErased, person)
  for (const one of found) await forget(change, person, one)
  await forgetCopies(change, {
    ...person,
    known: [...new Set([...person.phones, ...words, ...kept])],
    lists: listsThatName(change.app, told),
  })
}

/** The rows each slice keeps of the person, held. */
async function foundOf(change: Change, person: Person, told: readonly Forgetting[]): Promise<Found[]> {
  // Whole tables are read: longer than a call may take.
  await run(change.tx, 'set local statement_timeout = 0', [])
  const found: Found[] = []
  for (const one of told) {
    const pages = pagesOf(change.app, one.table)
    found.push({ ...one, pages, rows: await rowsOf(change.tx, person, one, pages.length > 0) })
  }
  return found
}

type Found = Forgetting & { readonly pages: readonly string[]; readonly rows: readonly Row[] }

/** The pages its records are logged and their files are kept under. */
const pagesOf = ({ catalogue }: Change['app'], table: string): string[] =>
  catalogue.slices.flatMap(({ resource }) => (resource?.table === table ? [resource.screen.key] : []))

/** Lists whose rows tell of persons, by screen: what was exported of them may hold this one. */
function listsThatName({ catalogue }: Change['app'], told: readonly Forgetting[]): string[] {
  const tables = new Set(told.map(({ table }) => table))
  const names = ({ record, table }: Resource) =>
    tables.has(table) ||
    Object.values(record.shape).some(schema => {
      const meta = fieldMeta(schema)
      return meta.kind === 'reference' && meta.to === 'member'
    })
  return catalogue.slices.filter(({ resource }) => resource && names(resource)).map(({ name }) => name)
}

/** Both are bound whether it asks for them or not. */
export const whereOf = ({ where = 't.member_id = $1' }: Forgetting): string =>
  `(${where}) and $1::bigint is not null and $2::text[] is not null`
const valuesOf = ({ memberId, phones }: Pick<Person, 'memberId' | 'phones'>): unknown[] => [memberId, phones]

const rowsOf = (tx: Tx, person: Person, one: Forgetting, isNumbered: boolean): Promise<Row[]> => {
  const columns = [...(isNumbered ? ['id'] : []), ...(one.known ?? [])].map(column => `t.${column}`)
  const selected = columns.length > 0 ? columns.join(', ') : '1'
  return run(tx, `select ${selected} from ${one.table} t where ${whereOf(one)} for update`, valuesOf(person))
}

/** One letter is in every text there is. */
const MIN_KNOWN = 2
const isTelling = (word: string): boolean => word.length >= MIN_KNOWN
const wordsOf = (rows: readonly Row[], columns: readonly string[]): string[] =>
  rows.flatMap(row =>
    columns.flatMap(column => {
      const word = row[column]
      return typeof word === 'string' && isTelling(word) ? [word] : []
    }),
  )

async function forget({ tx }: Change, person: Person, one: Found): Promise<void> {
  const { table, pages, becomes, rows, keepsFiles } = one
  if (rows.length === 0) return
  const sets = Object.entries(becomes).map(([column, value]) => `${column} = ${value}`)
  await run(tx, `update ${table} t set ${sets.join(', ')} where ${whereOf(one)}`, valuesOf(person))
  if (pages.length === 0) return
  const ids = rows.map(({ id }) => id)
  if (!keepsFiles) await forgetFiles(tx, 'page = any($1::text[]) and record_id = any($2::bigint[])', [pages, ids])
  await run(
    tx,
    `select erase_log_lines(array(
      select id from operation_log where page = any($1::text[]) and record_id = any($2::bigint[]) and salt is not null
        and (reason is not null or diff ?| $3::text[])))`,
    [pages, ids, Object.keys(becomes).map(fieldOf)],
  )
}

const fieldOf = (column: string): string => column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
