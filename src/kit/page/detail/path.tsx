import { type CSSProperties, Suspense } from 'react'
import type { Tone } from '#kit/model/field.ts'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import { Instant } from '../field/show.tsx'
import { WaitingLine } from '../field/waits.ts'
import { useTexts } from '../language.ts'
import type { Row } from '../list/list-state.ts'
import type { AnyWorkflow } from '../step-types.ts'
import { useToneColours } from '../tone.tsx'
import { read } from './fields.ts'
import type { locale } from './locale.ts'
import { type Entry, takenBack, useHappened } from './use-happened.ts'

type Props = { resource: Resource; workflow: AnyWorkflow; row: Row }
type Stage = {
  /** `field.value`, the key of its name. */
  readonly key: string
  /** Off its way a record may be at an end, or wait all the same. */
  readonly stands: 'passed' | 'now' | 'off' | 'ended' | 'to-come'
  readonly entry: Passed | undefined
}
type Passed = Pick<Entry, 'at' | 'actor'>

/** Where the record stands on its way: what was passed, by whom and when, for whom it waits now, and what is to come. */
export function Path({ resource, workflow, row }: Props) {
  const kit = useTexts<typeof locale>('kit/page/detail')
  const say = useTexts(resource.screen.name)
  const { data: happened = [] } = useHappened(resource, row.id)
  const stages = stagesOf(workflow, row, happened)
  const colours = useToneColours()
  return (
    <ol className="inkstone-path" aria-label={kit('path')}>
      {stages.map(({ key, stands, entry }, index) => (
        <li
          key={key}
          className={`inkstone-${stands}`}
          // Off the way a state speaks by its own colour: held is not refused.
          style={{ '--inkstone-tone': colours[toneOf(resource, key)].text } as CSSProperties}
          {...(isNow(stands) ? { 'aria-current': 'step' } : {})}
        >
          <strong>
            <span className="inkstone-path-count">
              {index + 1} / {stages.length} ·{' '}
            </span>
            {say(key)}
          </strong>
          {isNow(stands) && row.waiting ? (
            <Suspense>
              <WaitingLine waiting={row.waiting} steps={row.steps} brief={false} />
            </Suspense>
          ) : (
            entry && (
              <span className="inkstone-note">
                {entry.actor} <Instant at={entry.at} />
              </span>
            )
          )}
        </li>
      ))}
    </ol>
  )
}

const isNow = (stands: Stage['stands']): boolean => stands === 'now' || stands === 'off'

function toneOf(resource: Resource, key: string): Tone {
  const [field = '', value = ''] = key.split('.')
  const meta = metaOf(resource, field)
  return (meta.kind === 'choice' && meta.tones[value]) || 'idle'
}

/** Whoever made it; what came from elsewhere has its first instant alone. */
function begunBy(row: Row, happened: readonly Entry[]): Passed | undefined {
  const first = happened.at(-1)
  if (first?.action === 'create') return first
  const at = read(row, 'createdAt')
  return typeof at === 'string' ? { at, actor: '' } : undefined
}

/** A record that left its way shows how far it came and where it ended, and nothing it will not reach. */
export function stagesOf(workflow: AnyWorkflow, row: Row, happened: readonly Entry[]): Stage[] {
  const path = workflow.path?.(row as never) ?? []
  const isAt = (key: string) => {
    const [field = '', value] = key.split('.')
    return read(row, field) === value
  }
  // What was taken back, and the taking back, are no part of the way.
  const undone = takenBack(happened)
  const stood = happened.filter(({ id, undoes }) => undoes === null && !undone.has(id))
  const reached = (key: string): Entry | undefined => {
    const [field = '', value] = key.split('.')
    return stood.find(({ diff }) => diff[field]?.[1] === value)
  }
  const entryOf = (key: string, index: number) => reached(key) ?? (index === 0 ? begunBy(row, happened) : undefined)
  const at = path.findLastIndex(isAt)
  const last = path.length - 1
  if (at >= 0)
    return path.map((key, index) => ({
      key,
      stands: index < at || (index === last && at === last) ? 'passed' : index === at ? 'now' : 'to-come',
      entry: index <= at ? entryOf(key, index) : undefined,
    }))
  const end = `${workflow.field}.${String(read(row, workflow.field ?? ''))}`
  const passed = path.filter((key, index) => index === 0 || reached(key))
  return [
    ...passed.map((key, index) => ({ key, stands: 'passed' as const, entry: entryOf(key, index) })),
    { key: end, stands: row.waiting ? ('off' as const) : ('ended' as const), entry: reached(end) },
  ]
}
