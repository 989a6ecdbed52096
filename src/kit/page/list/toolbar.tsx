import { PlusOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button, Grid, Space, Tooltip } from 'antd'
import { type ReactNode, Suspense } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { useTexts } from '../language.ts'
import { laterWithTexts } from '../later.tsx'
import type { locale } from '../locale.ts'
import { useBody } from './body.ts'
import { ColumnSettings } from './columns.tsx'
import { DensityButton } from './density.tsx'
import { ExportButton } from './export-button.tsx'
import type { Listed } from './use-list.ts'

// For lists whose rows have pictures.
const BodySwitch = laterWithTexts(
  'kit/page/gallery',
  async () => (await import('../gallery/body-switch.tsx')).BodySwitch,
)

/** What is done with the list as a whole, at the right of its filters. */
export function Toolbar({ resource, list, tools }: { resource: Resource; list: Listed; tools: ReactNode }) {
  const kit = useTexts<typeof locale>('kit/page')
  // Cards have neither columns nor rows to set, and the frame's own refresh is as near: one line of tools is left.
  const isWide = Grid.useBreakpoint().md !== false
  const [body] = useBody(resource)
  return (
    <Space size={8}>
      {list.rights.may('create') && (
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={list.create}>
          {kit('add')}
        </Button>
      )}
      {tools}
      {list.rights.may('export') && <ExportButton resource={resource} state={list.state} />}
      {isWide && (
        <>
          <Tooltip title={kit('refresh')}>
            <Button aria-label={kit('refresh')} icon={<ReloadOutlined />} onClick={list.reload} />
          </Tooltip>
          {resource.list.gallery && (
            <Suspense fallback={<span className="inkstone-switch-room" />}>
              <BodySwitch resource={resource} />
            </Suspense>
          )}
          {body === 'table' && (
            <>
              <DensityButton />
              <ColumnSettings resource={resource} />
            </>
          )}
        </>
      )}
    </Space>
  )
}
