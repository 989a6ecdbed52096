import { Alert, Radio } from 'antd'
import { useEffect, useRef } from 'react'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import type { Shows } from '../detail/detail-types.ts'
import { useLabels } from '../field/reference-picker.tsx'
import { Instant, isMissing, MISSING, ReferenceLabel, Show } from '../field/show.tsx'
import { useTexts } from '../language.ts'
import type { Row } from '../list/list-state.ts'
import type { locale } from './locale.ts'
import type { Choice, Conflict } from './use-merging.ts'
import type { Values } from './values.ts'

type Props = { resource: Resource; shows: Shows; conflict: Conflict; onDecide(field: string, choice: Choice): void }

/** What two people changed differently, side by side: nobody overwrites a colleague without having seen it. */
export function ConflictNotice({ resource, shows, conflict, onDecide }: Props) {
  const words = useTexts<typeof locale>('kit/page/form')
  const say = useTexts(resource.screen.name)
  const nameOf = (field: string) => say(`field.${field}`)
  const { asked, taken, mine, theirs, changes, chosen } = conflict
  const panel = useRef<HTMLElement>(null)
  const told = useRef<number>(undefined)
  useEffect(
    function bringIntoSight() {
      // Effects run again whenever the tab is shown: what was seen takes nobody away from where they were.
      if (told.current === theirs.version) return
      told.current = theirs.version
      // Whoever saved stands at the end of a long form; what came of it stands above its beginning.
      panel.current?.scrollIntoView({ block: 'start' })
      panel.current?.focus({ preventScroll: true })
    },
    [theirs.version],
  )
  return (
    <section ref={panel} className="inkstone-conflict-panel" tabIndex={-1} aria-label={words('conflict-title')}>
      <Alert
        type="warning"
        className="inkstone-conflict"
        title={words('conflict-title')}
        description={
          <>
            {asked.length > 0 && <p>{words('conflict-text')}</p>}
            {asked.map(field => (
              <fieldset key={field}>
                <legend>{nameOf(field)}</legend>
                <Radio.Group
                  value={chosen[field] ?? null}
                  onChange={event => onDecide(field, event.target.value as Choice)}
                  options={[
                    {
                      value: 'mine',
                      label: (
                        <>
                          <small>{words('conflict-mine')}</small>
                          <Side
                            resource={resource}
                            shows={shows}
                            field={field}
                            row={{ ...theirs, [field]: mine[field] }}
                          />
                        </>
                      ),
                    },
                    {
                      value: 'theirs',
                      label: (
                        <>
                          <small>
                            <Who change={changes[field]} />
                          </small>
                          <Side resource={resource} shows={shows} field={field} row={theirs} />
                        </>
                      ),
                    },
                  ]}
                />
              </fieldset>
            ))}
            {taken.length > 0 && <p>{words('conflict-taken', { names: taken.map(nameOf).join(', ') })}</p>}
          </>
        }
      />
    </section>
  )
}

function Who({ change }: { change: Conflict['changes'][string] | undefined }) {
  const words = useTexts<typeof locale>('kit/page/form')
  if (!change?.who) return words('conflict-theirs')
  return (
    <>
      {change.who} · <Instant at={change.at} />
    </>
  )
}

type SideProps = { resource: Resource; shows: Shows; field: string; row: Values }

function Side({ resource, shows, field, row }: SideProps) {
  const value = row[field]
  const meta = metaOf(resource, field)
  if (isMissing(value)) return MISSING
  if (meta.kind === 'reference') return <Referred to={meta.to} id={String(value)} />
  return shows[field]?.(row as never) ?? <Show resource={resource} field={field} row={row as Row} />
}

function Referred({ to, id }: { to: string; id: string }) {
  const [label] = useLabels(to, [id])
  return label ? <ReferenceLabel label={label} /> : MISSING
}
