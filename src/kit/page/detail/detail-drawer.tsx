import { ExpandAltOutlined } from '@ant-design/icons'
import { Button, Skeleton, Space, Tooltip } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { useTexts } from '../language.ts'
import type { Row } from '../list/list-state.ts'
import { LoadFailed } from '../load-failed.tsx'
import type { locale } from '../locale.ts'
import { SideDrawer } from '../side-drawer.tsx'
import type { locale as detailLocale } from './locale.ts'
import { Neighbours, type NeighboursProps } from './neighbours.tsx'
import { Heading, Story, type Told } from './story.tsx'
import { useRecord } from './use-record.ts'

export type DetailDrawerProps = Told &
  NeighboursProps & {
    /** Whether the server is still at work on the record: it is looked at again until that has ended. */
    isUnderWay?: ((row: Row) => boolean) | undefined
    onSettled(): void
    id: string | undefined
    actions(row: Row): ReactNode
    onClose(): void
    /** The address where a record has a page to itself. */
    pageOf(id: string): string
  }

const WIDTH = 960

/** One record over its list, with arrows to the next one. */
export function DetailDrawer(props: DetailDrawerProps) {
  const { isUnderWay, onSettled, id, actions, onClose, pageOf, onPrevious, onNext, ...told } = props
  const { resource, workflow } = told
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts<typeof detailLocale>('kit/page/detail')
  // A closed drawer shows its record until it has left the screen.
  const [shown, setShown] = useState(id)
  if (id !== undefined && id !== shown) setShown(id)
  const { row, error, refetch, isGone } = useRecord(resource, shown, id !== undefined, { isUnderWay, onSettled })
  useEffect(
    function leaveWhatHasGone() {
      if (isGone && id === row?.id) onClose()
    },
    [isGone, id, row?.id, onClose],
  )
  return (
    <SideDrawer
      open={id !== undefined}
      onClose={onClose}
      size={WIDTH}
      title={row ? <Heading resource={resource} workflow={workflow} row={row} /> : kit('detail')}
      extra={
        <Space>
          {id !== undefined && (
            <Tooltip title={say('open-page')}>
              <Button type="text" aria-label={say('open-page')} icon={<ExpandAltOutlined />} href={`#${pageOf(id)}`} />
            </Tooltip>
          )}
          <Neighbours onPrevious={onPrevious} onNext={onNext} />
        </Space>
      }
    >
      {error && <LoadFailed error={error} onRetry={refetch} />}
      {!row && !error && <Skeleton active />}
      {/* Another record is another story: nothing typed, opened or shown of the one before is carried into it. */}
      {row && <Story key={row.id} {...told} row={row} actions={actions(row)} />}
    </SideDrawer>
  )
}
