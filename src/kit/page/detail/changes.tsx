import { Button } from 'antd'
import { Fragment, type ReactNode, useState } from 'react'
import { type Difference, type LineChange, type Piece, wordsBetween } from '#kit/model/difference.ts'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import { useLabels } from '../field/reference-picker.tsx'
import { MISSING, ReferenceLabel, Show } from '../field/show.tsx'
import { useTexts } from '../language.ts'
import type { Row } from '../list/list-state.ts'
import type { locale } from './locale.ts'

type Props = {
  resource: Resource
  changes: readonly Difference[]
  /** References come as ids, to be named here, or by name already. */
  isNamed?: boolean
}

/** What changed, field by field, each as its kind is read: the same in the story of a record and between two editions. */
export function Changes({ resource, changes, isNamed = false }: Props) {
  const say = useTexts(resource.screen.name)
  return changes.map(change => (
    <div key={change.field} className="inkstone-note inkstone-change">
      {say(`field.${change.field}`)}: <Change resource={resource} change={change} isNamed={isNamed} />
    </div>
  ))
}

function Change({ resource, change, isNamed }: { resource: Resource; change: Difference; isNamed: boolean }) {
  if (change.is === 'words') return <Words pieces={change.pieces} />
  if (change.is === 'lines') return <Lines resource={resource} change={change} />
  const side = (value: unknown) => <Side resource={resource} field={change.field} value={value} isNamed={isNamed} />
  if (change.before === null) return side(change.after)
  return (
    <>
      {side(change.before)} → {side(change.after)}
    </>
  )
}

const Words = ({ pieces }: { pieces: readonly Piece[] }) =>
  pieces.map(({ is, text }, at) => {
    const Tag = is === 'gone' ? 'del' : is === 'new' ? 'ins' : Fragment
    // biome-ignore lint/suspicious/noArrayIndexKey: a stretch is known by its place alone
    return <Tag key={at}>{text}</Tag>
  })

type SideProps = { resource: Resource; field: string; value: unknown; isNamed: boolean }

/** One side of a change, shown as the field is shown anywhere; figures that have words come in words. */
function Side({ resource, field, value, isNamed }: SideProps) {
  const own = useTexts<typeof locale>('kit/page/detail')
  const meta = metaOf(resource, field)
  if (value !== null && meta.kind === 'reference')
    return isNamed ? String(value) : <Referred to={meta.to} id={String(value)} />
  if (typeof value === 'string' && (meta.kind === 'number' || meta.kind === 'detail')) return value
  // What a line says is for those who declared how lines are told apart; of others it is said how many there are.
  if (Array.isArray(value) && (meta.kind === 'lines' || meta.kind === 'detail'))
    return own('lines', { count: value.length })
  return <Show resource={resource} field={field} row={{ id: '', labels: {}, steps: {}, [field]: value } as Row} />
}

function Referred({ to, id }: { to: string; id: string }) {
  const [label] = useLabels(to, [id])
  return label ? <ReferenceLabel label={label} /> : MISSING
}

/** Seen at once; the others on demand. */
const FIRST = 8

type LinesProps = { resource: Resource; change: Extract<Difference, { is: 'lines' }> }

function Lines({ resource, change: { field, lines, same } }: LinesProps) {
  const say = useTexts(resource.screen.name)
  const own = useTexts<typeof locale>('kit/page/detail')
  const [isWhole, setWhole] = useState(false)
  const names = resource.editions?.lines[field]?.parts ?? {}
  const seen = isWhole ? lines : lines.slice(0, FIRST)
  return (
    <>
      <ul>
        {seen.map(line => (
          <li key={`${line.is} ${line.key}`}>
            <Line line={line} nameOf={part => say(names[part] ?? part)} />
          </li>
        ))}
      </ul>
      {seen.length < lines.length && (
        <Button type="link" size="small" onClick={() => setWhole(true)}>
          {own('more-changes', { count: lines.length - seen.length })}
        </Button>
      )}
      {same > 0 && <span>{own('lines-same', { count: same })}</span>}
    </>
  )
}

function Line({ line: { is, name, moved, parts }, nameOf }: { line: LineChange; nameOf(part: string): string }) {
  const own = useTexts<typeof locale>('kit/page/detail')
  if (is === 'gone') return <del>{own('line-gone', { name })}</del>
  // What a new line is called stands before it.
  const told = parts.filter(({ before, after }) => !isBlank(before) || !(isBlank(after) || after === name))
  const said: ReactNode[] = told.map(({ part, before, after }) => (
    <span key={part}>
      {nameOf(part)}: <Part before={before} after={after} isNew={is === 'added'} />
    </span>
  ))
  return (
    <>
      {is === 'added' ? <ins>{own('line-added', { name })}</ins> : <strong>{name}</strong>}
      {moved && <span>{own('line-moved', moved)}</span>}
      {said}
    </>
  )
}

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === ''
const shown = (value: unknown): string => (isBlank(value) ? MISSING : String(value))

function Part({ before, after, isNew }: { before: unknown; after: unknown; isNew: boolean }) {
  if (isNew) return shown(after)
  const pieces = wordsBetween(before, after)
  return pieces ? <Words pieces={pieces} /> : `${shown(before)} → ${shown(after)}`
}
