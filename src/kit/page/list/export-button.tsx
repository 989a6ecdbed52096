import { DownloadOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import { useState } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { download, save } from '../call.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { useNotices } from '../notice.tsx'
import { useTab } from '../tab.ts'
import { addressOf, asQuery, type ListState } from './list-state.ts'

/** Exports exactly what the filter matches; many rows become a task that ends under "my tasks". */
export function ExportButton({ resource, state }: { resource: Resource; state: ListState }) {
  const kit = useTexts<typeof locale>('kit/page')
  const notices = useNotices()
  const tab = useTab()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      const { current: _, size: __, ...query } = asQuery(state)
      const answer = await download<{ taskId: string }>(`${addressOf(resource)}/download`, query)
      if ('file' in answer) return save(answer.file, answer.name)
      const open = { label: kit('export-open'), run: () => tab.open('/account/settings/exports') }
      notices.told(kit('export-task'), [open])
    } catch (error) {
      notices.failed(error, kit('load-failed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Tooltip title={kit('export')}>
      <Button aria-label={kit('export')} icon={<DownloadOutlined aria-hidden />} loading={busy} onClick={run} />
    </Tooltip>
  )
}
