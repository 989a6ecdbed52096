import { lazy, Suspense } from 'react'
import { hasAmounts, metaOf, type Resource } from '#kit/model/resource.ts'
import type { Shows } from './detail/detail-types.ts'
import { headOf, isMissing, Show } from './field/show.tsx'
import { formatFen } from './figures.ts'
import { useTexts } from './language.ts'
import { nameOf, type Row } from './list/list-state.ts'
import type { locale } from './locale.ts'

type Props = {
  resource: Resource
  step: string
  /** The field of the money at stake. */
  amount: string | null
  rows: readonly Row[]
  count: number
  /** What this decision is made by, besides the brief, how the page shows some of it, and how a question tells it. */
  besides?: readonly string[]
  shows?: Shows | undefined
  tells?: Shows | undefined
}

/** Named one by one in a question about many; the rest is counted. */
const NAMED = 5

/** What is about to be decided: which record, whose, how much; of many, how many they are and how much together. */
export const StepMatter = (props: Props) =>
  props.count === 1 ? <One {...props} row={props.rows[0]} /> : <Many {...props} />

function One({ resource, row, besides = [], shows, tells = {} }: Props & { row: Row | undefined }) {
  const say = useTexts(resource.screen.name)
  if (!row) return null
  const fact = (field: string) => (
    <div key={field}>
      {tells[field] ? null : <dt>{headOf(resource, field, say(`field.${field}`))}</dt>}
      <dd>{tells[field]?.(row as never) ?? <Fact {...{ resource, field, row, shows }} large />}</dd>
    </div>
  )
  return <dl className="inkstone-matter">{decisive(resource, row, besides).map(fact)}</dl>
}

/** What one record is decided by. */
const decisive = ({ brief }: Resource, row: Row, besides: readonly string[]): string[] =>
  knownOf(row, [...new Set([...brief, ...besides])])

/** Whether one of the facts a record is decided by is to be looked at. */
export const hasPictures = (resource: Resource, row: Row, besides: readonly string[]): boolean =>
  decisive(resource, row, besides).some(field => metaOf(resource, field).kind === 'files')

function Many({ resource, step, amount, rows, count, shows }: Props) {
  const kit = useTexts<typeof locale>('kit/page')
  // What is closed to the step stays as it is, and is no part of the sum nor of what is named to be done.
  const open = rows.filter(row => isOpenTo(row, step))
  const closed = rows.filter(row => !isOpenTo(row, step))
  const sum = openSum(rows, step, amount, count)
  const unnamed = count - closed.length - Math.min(open.length, NAMED)
  return (
    <div className="inkstone-matter">
      <p>
        <strong>
          {closed.length > 0
            ? kit('matter-open', { count, open: openCount(rows, step, count) })
            : kit('matter-count', { count })}
        </strong>
        {sum !== null && <strong> · {kit('matter-sum', { sum: formatFen(sum) })}</strong>}
      </p>
      <ul>
        {open.slice(0, NAMED).map(row => (
          <li key={row.id}>
            <Brief resource={resource} row={row} shows={shows} />
          </li>
        ))}
        {unnamed > 0 && <li>{kit('matter-more', { count: unnamed })}</li>}
      </ul>
      {[...Map.groupBy(closed, row => row.steps[step]?.msg ?? '')].map(([why, left]) => (
        <p key={why} className="inkstone-matter-closed">
          {kit('matter-closed', { count: left.length, why })}
          <br />
          {left
            .slice(0, NAMED)
            .map(row => nameOf(resource, row))
            .join(' · ')}
          {left.length > NAMED && ` ${kit('matter-more', { count: left.length - NAMED })}`}
        </p>
      ))}
    </div>
  )
}

const isOpenTo = (row: Row, step: string): boolean => !row.steps[step]

/** How many of the chosen records a step will really be taken for; what is not known here is not closed to it. */
export const openCount = (rows: readonly Row[], step: string, count: number): number =>
  count - rows.filter(row => !isOpenTo(row, step)).length

/** How much money the step is about, where it is about any and all of the chosen records are known here. */
export const openSum = (rows: readonly Row[], step: string, amount: string | null, count: number): number | null =>
  amount === null || rows.length < count
    ? null
    : rows
        .filter(row => isOpenTo(row, step))
        .reduce((sum, row) => sum + Number((row as Record<string, unknown>)[amount] ?? 0), 0)

/** A fact that is missing decides nothing. */
const knownOf = (row: Row, fields: readonly string[]): string[] =>
  fields.filter(field => !isMissing((row as Record<string, unknown>)[field]))

const Sent = lazy(async () => ({ default: (await import('./field/files.tsx')).Sent }))

/** Whoever decides by a picture has to be able to read it. */
type FactProps = { resource: Resource; field: string; row: Row; shows: Shows | undefined; large?: boolean }

/** In the words of the page, where it has words of its own: its links and buttons lead away from a question, and stay there. */
function Fact({ resource, field, row, shows, large = false }: FactProps) {
  const own = shows?.[field]?.(row as never)
  if (typeof own === 'string') return own
  const meta = metaOf(resource, field)
  if (meta.kind !== 'files' || !large) return <Show resource={resource} field={field} row={row} />
  return (
    <Suspense>
      <Sent purpose={meta.purpose} ids={(row as Record<string, unknown>)[field] as string[]} large />
    </Suspense>
  )
}

/** A record on one line, as people know it. */
export function Brief({ resource, row, shows }: { resource: Resource; row: Row; shows?: Shows | undefined }) {
  const say = useTexts(resource.screen.name)
  const isNamed = (field: string) => hasAmounts(resource) && metaOf(resource, field).kind === 'money'
  return (
    <span className="inkstone-brief">
      {knownOf(row, resource.brief).map(field => (
        <span key={field}>
          {isNamed(field) && `${say(`field.${field}`)} `}
          <Fact {...{ resource, field, row, shows }} />
        </span>
      ))}
    </span>
  )
}
