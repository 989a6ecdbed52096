import { Alert, Button, Empty, Skeleton, Space } from 'antd'
import { useState } from 'react'
import type { Difference } from '#kit/model/difference.ts'
import type { DraftEdition, PublishedEdition, Use } from '#kit/model/edition.ts'
import { isContent, MOST_USES } from '#kit/model/edition.ts'
import type { Resource } from '#kit/model/resource.ts'
import { Changes } from '../detail/changes.tsx'
import type { Shows } from '../detail/detail-types.ts'
import { Instant } from '../field/show.tsx'
import { formatCount } from '../figures.ts'
import { useTexts } from '../language.ts'
import type { Row } from '../list/list-state.ts'
import { LoadFailed } from '../load-failed.tsx'
import { maySeeScreen } from '../menu.ts'
import { findScreen } from '../screens.ts'
import { StateTag } from '../tone.tsx'
import { mayDo, useUser } from '../user.ts'
import type { locale } from './locale.ts'
import { useDifferences, useDraftEdition, useEditions } from './use-editions.ts'
import { useRestore } from './use-restore.tsx'
import './editions.css'

export type EditionsProps = { resource: Resource; shows: Shows; row: Row }

const useWords = () => useTexts<typeof locale>('kit/page/editions')

/** What was published of a record and what holds it, and what somebody works at: side by side with what differs. */
export function EditionsTab({ resource, shows, row }: EditionsProps) {
  const words = useWords()
  const seesDrafts = useUser(user => mayDo(user, resource.screen.key, 'drafts'))
  const { data, error, refetch } = useEditions(resource, row.id)
  const { data: draft } = useDraftEdition(resource, row.id, seesDrafts)
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  const [current] = data
  return (
    <div className="inkstone-editions">
      {draft && <Draft {...{ resource, shows, row, draft }} current={current?.edition ?? 0} />}
      {current ? (
        <ol reversed>
          {data.map(edition => (
            <li key={edition.edition}>
              <Edition resource={resource} id={row.id} edition={edition} current={current.edition} />
            </li>
          ))}
        </ol>
      ) : (
        !draft && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={words('empty')} />
      )}
    </div>
  )
}

type DraftProps = EditionsProps & { draft: DraftEdition; current: number }

/** Words the slice shows in a way of its own: where all of them are new they are read whole, and are no change. */
const shownWhole = (resource: Resource, shows: Shows): readonly string[] =>
  resource.edit.filter(
    field => field in shows && isContent(resource, field) && !(field in (resource.editions?.lines ?? {})),
  )

/** A draft begun from an older edition shows both: what it changes, and what was published meanwhile. */
function Draft({ resource, shows, row, draft: { base, body, draftedBy, draftedAt }, current }: DraftProps) {
  const { id } = row
  const words = useWords()
  const say = useTexts(resource.screen.name)
  const isStale = base !== current
  const whole = base === 0 ? shownWhole(resource, shows) : []
  const own = useDifferences(resource, id, base, body)?.filter(({ field }) => !whole.includes(field))
  const meanwhile = useDifferences(resource, id, isStale ? base : undefined, isStale ? current : undefined)
  return (
    <section className="inkstone-draft">
      <h3>
        <StateTag tone="attention">{words('draft')}</StateTag> {draftedBy} · <Instant at={draftedAt} /> ·{' '}
        {base === 0 ? words('draft-first') : words('draft-from', { base })}
      </h3>
      {isStale && (
        <Alert
          type="warning"
          title={words('stale-title', { edition: current })}
          description={words('stale-text', { base })}
        />
      )}
      <Compared resource={resource} title={words('draft-changes')} changes={own} same={words('draft-same', { base })} />
      {whole.map(field => (
        <div key={field}>
          <h4>{say(`field.${field}`)}</h4>
          {shows[field]?.({ ...row, ...body } as never)}
        </div>
      ))}
      {isStale && (
        <Compared
          resource={resource}
          title={words('published-since', { base, edition: current })}
          changes={meanwhile}
          same={words('same')}
        />
      )}
    </section>
  )
}

type ComparedProps = { resource: Resource; title: string; changes: readonly Difference[] | undefined; same: string }

function Compared({ resource, title, changes, same }: ComparedProps) {
  return (
    <div className="inkstone-compared">
      <h4>{title}</h4>
      {!changes && <Skeleton active title={false} paragraph={{ rows: 1 }} />}
      {changes?.length === 0 && <p className="inkstone-note">{same}</p>}
      {changes && <Changes resource={resource} changes={changes} />}
    </div>
  )
}

type EditionProps = { resource: Resource; id: string; edition: PublishedEdition; current: number }

function Edition({ resource, id, edition: published, current }: EditionProps) {
  const { edition, publishedBy, publishedAt, restores, uses } = published
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  const restore = useRestore(resource, id, current)
  const mayRestore = useUser(user => mayDo(user, resource.screen.key, 'restore')) && edition !== current
  const changes = useDifferences(resource, id, isOpen ? edition - 1 : undefined, isOpen ? edition : undefined)
  return (
    <>
      <div className="inkstone-edition">
        <div>
          <strong>{words('edition', { edition })}</strong>{' '}
          {edition === current && <StateTag tone="done">{words('current')}</StateTag>}
          <div className="inkstone-note">
            {publishedBy} · <Instant at={publishedAt} />
            {restores !== null && ` · ${words('restores', { edition: restores })}`}
          </div>
          {uses.map(use => (
            <Uses key={use.name} resource={resource} use={use} />
          ))}
        </div>
        <Space size={4}>
          <Button type="link" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {words(isOpen ? 'hide-changes' : 'show-changes')}
          </Button>
          {mayRestore && (
            <Button size="small" onClick={() => restore(edition)}>
              {words('restore')}
            </Button>
          )}
        </Space>
      </div>
      {isOpen && (
        <Compared
          resource={resource}
          title={edition === 1 ? words('first') : words('changes-of', { edition: edition - 1 })}
          changes={changes}
          same={words('same')}
        />
      )}
    </>
  )
}

/** How many hold it, and the newest of them to go to. */
function Uses({ resource, use: { name, count, links } }: { resource: Resource; use: Use }) {
  const words = useWords()
  const say = useTexts(resource.screen.name)
  const isMany = count > MOST_USES
  return (
    <div className="inkstone-note inkstone-uses">
      {words(isMany ? 'uses-many' : 'uses', {
        name: say(name),
        count: formatCount(isMany ? MOST_USES : count),
      })}
      {links.map(link => (
        <Held key={link.path} {...link} />
      ))}
      {links.length < count && '…'}
    </div>
  )
}

/** A way that ends at a closed door is not offered. */
function Held({ name, path }: Use['links'][number]) {
  const user = useUser()
  const screen = findScreen(path)
  const mayOpen = screen && maySeeScreen(user, screen) && mayDo(user, screen.key, 'detail')
  return mayOpen ? <a href={`#${path}`}>{name}</a> : <span>{name}</span>
}
