import { PlusOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button, Grid, Space, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { ColumnSettings } from './columns.tsx'
import { DensityButton } from './density.tsx'
import { ExportButton } from './export-button.tsx'
import type { Listed } from './use-list.ts'

/** What is done with the list as a whole, at the right of its filters. */
export function Toolbar({ resource, list, tools }: { resource: Resource; list: Listed; tools: ReactNode }) {
  const kit = useTexts<typeof locale>('kit/page')
  // Cards have neither columns nor rows to set, and the frame's own refresh is as near: one line of tools is left.
  const isTable = Grid.useBreakpoint().md !== false
  return (
    <Space size={8}>
      {list.rights.may('create') && (
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={list.create}>
          {kit('add')}
        </Button>
      )}
      {tools}
      {list.rights.may('export') && <ExportButton resource={resource} state={list.state} />}
      {isTable && (
        <>
          <Tooltip title={kit('refresh')}>
            <Button aria-label={kit('refresh')} icon={<ReloadOutlined />} onClick={list.reload} />
          </Tooltip>
          <DensityButton />
          <ColumnSettings resource={resource} />
        </>
      )}
    </Space>
  )
}
