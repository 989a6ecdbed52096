import { DownOutlined, UpOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Descriptions, Skeleton, Space, Tabs, Tooltip } from 'antd'
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { CODES } from '#kit/model/contract.ts'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import { CallFailed, get, isPassing } from '../call.ts'
import { Maskable } from '../field/maskable.tsx'
import { headOf, isMissing, Show } from '../field/show.tsx'
import { useTexts } from '../language.ts'
import type { Row } from '../list/list-state.ts'
import { LoadFailed } from '../load-failed.tsx'
import type { locale } from '../locale.ts'
import { SideDrawer } from '../side-drawer.tsx'
import type { DetailHead, DetailTab, Shows } from './detail-types.ts'
import { useRelatedTabs } from './related.ts'
import { Timeline } from './timeline.tsx'

export type DetailDrawerProps = {
  resource: Resource
  shows: Shows
  tabs: readonly DetailTab[]
  Head?: DetailHead | undefined
  /** Whether the server is still at work on the record: it is looked at again until that has ended. */
  isUnderWay?: ((row: Row) => boolean) | undefined
  onSettled(): void
  id: string | undefined
  actions(row: Row): ReactNode
  onClose(): void
  /** Steps to the neighbouring record of the list; absent at its ends. */
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

const WIDTH = 960
const LOOK_MS = 2_000
/** Then nobody may be sitting there any more, and calls without a person would keep an idle session open. */
const WATCH_MS = 60_000

/** One record over its list: facts, actions and what happened, with arrows to the next one. */
export function DetailDrawer(props: DetailDrawerProps) {
  const { resource, shows, tabs, Head, isUnderWay, onSettled, id, actions, onClose, onPrevious, onNext } = props
  const kit = useTexts<typeof locale>('kit/page')
  const related = useRelatedTabs(resource)
  // A closed drawer shows its record until it has left the screen.
  const [shown, setShown] = useState(id)
  if (id !== undefined && id !== shown) setShown(id)
  const watched = useRef<{ id: string; since: number }>(undefined)
  const isLong = (seen: string) => watched.current?.id === seen && Date.now() - watched.current.since > WATCH_MS
  const {
    data: row,
    error,
    refetch,
  } = useQuery({
    queryKey: [resource.screen.name, 'detail', shown],
    queryFn: ({ signal }) => get<Row>(`/${resource.screen.name}/${shown}`, { signal }),
    enabled: id !== undefined,
    retry: false,
    refetchInterval: ({ state: { data } }) => (data && isUnderWay?.(data) && !isLong(data.id) ? LOOK_MS : false),
  })
  useEffect(function tellWhatHasEnded() {
    if (!row) return
    const isWatched = watched.current?.id === row.id
    if (!isUnderWay?.(row)) {
      if (isWatched) onSettled()
      watched.current = undefined
    } else if (!isWatched) watched.current = { id: row.id, since: Date.now() }
  })
  const isGone = row !== undefined && error instanceof CallFailed && error.code === CODES['not-found']
  useEffect(
    function leaveWhatHasGone() {
      // A step may take a record to another list: what was read of it here is no longer so.
      if (isGone && id === row?.id) onClose()
    },
    [isGone, id, row?.id, onClose],
  )
  return (
    <SideDrawer
      open={id !== undefined}
      onClose={onClose}
      size={WIDTH}
      title={row ? <Heading resource={resource} row={row} /> : kit('detail')}
      extra={
        <Space>
          <Tooltip title={kit('previous')}>
            <Button
              type="text"
              aria-label={kit('previous')}
              icon={<UpOutlined />}
              disabled={!onPrevious}
              onClick={onPrevious}
            />
          </Tooltip>
          <Tooltip title={kit('next')}>
            <Button type="text" aria-label={kit('next')} icon={<DownOutlined />} disabled={!onNext} onClick={onNext} />
          </Tooltip>
        </Space>
      }
    >
      {error && !(row && isPassing(error)) && <LoadFailed error={error} onRetry={refetch} />}
      {!row && !error && <Skeleton active />}
      {row && (
        <>
          {Head && <Head row={row as never} />}
          <div className="inkstone-actions">{actions(row)}</div>
          <Tabs
            items={[
              { key: 'detail', label: kit('detail'), children: <Facts resource={resource} shows={shows} row={row} /> },
              ...tabs.map(({ name, texts = resource.screen.name, Show: Side }) => ({
                key: `${texts}:${name}`,
                label: <TabName texts={texts} name={name} />,
                children: <Side row={row as never} />,
              })),
              ...related.map(tab => ({
                key: `${tab.texts}:${tab.title}`,
                label: <TabName texts={tab.texts} name={tab.title} />,
                children: <Fragment key={row.id}>{tab.show(row.id)}</Fragment>,
              })),
              { key: 'timeline', label: kit('timeline'), children: <Timeline resource={resource} id={row.id} /> },
            ]}
          />
        </>
      )}
    </SideDrawer>
  )
}

function TabName({ texts, name }: { texts: string; name: string }) {
  return useTexts(texts)(name as never)
}

function Heading({ resource, row }: { resource: Resource; row: Row }) {
  const state = resource.list.tabs
  return (
    <Space size={[12, 4]} wrap>
      <Show resource={resource} field={resource.title} row={row} />
      {state && <Show resource={resource} field={state} row={row} />}
    </Space>
  )
}

function Facts({ resource, shows, row }: { resource: Resource; shows: Shows; row: Row }) {
  const say = useTexts(resource.screen.name)
  const shown = Object.keys(resource.record.shape).filter(field => {
    const { kind } = metaOf(resource, field)
    return kind !== 'id' && kind !== 'version' && (kind !== 'detail' || field in shows)
  })
  // Short facts side by side, then whatever needs the whole width.
  const isWide = (field: string) => WIDE.has(metaOf(resource, field).kind)
  const short = shown.filter(field => !isWide(field))
  const fields = [...short, ...shown.filter(isWide)]
  return (
    <Descriptions
      column={{ xs: 1, md: 2 }}
      size="small"
      bordered
      items={fields.map(field => ({
        key: field,
        label: headOf(resource, field, say(`field.${field}` as never)),
        span: isWide(field) || field === short.at(-1) ? 'filled' : 1,
        children: (
          // A wide table scrolls inside its fact instead of widening the drawer.
          <div style={isWide(field) ? { contain: 'inline-size' } : {}}>
            {(!isMissing(read(row, field)) && shows[field]?.(row as never)) || (
              <Maskable resource={resource} field={field} row={row} />
            )}
          </div>
        ),
      }))}
    />
  )
}
const WIDE: ReadonlySet<string> = new Set(['long-text', 'detail', 'files', 'lines'])

const read = (row: Row, field: string): unknown => (row as Record<string, unknown>)[field]
