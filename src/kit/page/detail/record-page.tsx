import { Skeleton } from 'antd'
import { type ReactNode, useEffect } from 'react'
import { nameOf, type Row } from '../list/list-state.ts'
import { LoadFailed } from '../load-failed.tsx'
import { useTitles } from '../menu.ts'
import { useTab } from '../tab.ts'
import { Neighbours, type NeighboursProps } from './neighbours.tsx'
import { Heading, Story, type Told } from './story.tsx'
import { useRecord } from './use-record.ts'

export type RecordPageProps = Told & {
  isUnderWay: ((row: Row) => boolean) | undefined
  onSettled(): void
  id: string
  actions(row: Row): ReactNode
  /** None where it was not opened from a list. */
  neighbours: NeighboursProps | undefined
}

/** One record with an address and a tab of its own, told as in the drawer. */
export function RecordPage({ isUnderWay, onSettled, id, actions, neighbours, ...told }: RecordPageProps) {
  const { resource, workflow } = told
  const menu = useTitles()
  const tab = useTab()
  const { row, error, refetch, isGone } = useRecord(resource, id, true, { isUnderWay, onSettled })
  const name = nameOf(resource, row)
  useEffect(
    function nameItsTab() {
      if (name !== undefined) tab.setTitle(name)
    },
    [name, tab],
  )
  return (
    <article className="inkstone-record">
      <header>
        <a href={`#${resource.screen.route}`}>{menu(resource.screen.name)}</a>
        {row && (
          <>
            <span aria-hidden>/</span>
            <Heading resource={resource} workflow={workflow} row={row} />
          </>
        )}
        <span className="inkstone-record-tools">{neighbours && <Neighbours {...neighbours} />}</span>
      </header>
      {error && <LoadFailed error={error} onRetry={refetch} />}
      {!row && !error && <Skeleton active />}
      {row && !isGone && <Story key={row.id} {...told} row={row} actions={actions(row)} />}
    </article>
  )
}
