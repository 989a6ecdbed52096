import { DownloadOutlined } from '@ant-design/icons'
import { App, Button, Tooltip } from 'antd'
import { useState } from 'react'
import { NOTICE_SECONDS } from '#kit/model/contract.ts'
import type { Resource } from '#kit/model/resource.ts'
import { download, save } from '../call.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { useNotices } from '../notice.ts'
import { useTab } from '../tab.ts'
import { asQuery, type ListState } from './list-state.ts'

/** Exports exactly what the filter matches; many rows become a task that ends under "my exports". */
export function ExportButton({ resource, state }: { resource: Resource; state: ListState }) {
  const kit = useTexts<typeof locale>('kit/page')
  const notices = useNotices()
  const { notification } = App.useApp()
  const tab = useTab()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      const { current: _, size: __, ...query } = asQuery(state)
      const answer = await download<{ taskId: string }>(`/${resource.screen.name}/download`, query)
      if ('file' in answer) return save(answer.file, answer.name)
      notification.info({
        title: kit('export-task'),
        duration: NOTICE_SECONDS * 2,
        actions: (
          <Button size="small" onClick={() => tab.open('/account/settings/exports')}>
            {kit('export-open')}
          </Button>
        ),
      })
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
