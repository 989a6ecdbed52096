import { FileZipOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import { useState } from 'react'
import { get } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import { useAsked } from '#kit/page/list/list-context.ts'
import { asQuery } from '#kit/page/list/list-state.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { findScreen } from '#kit/page/screens.ts'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'

/** The sheets of all rows the filter matches, as one file: made by a task, because a list of names may be long. */
export function PackButton() {
  const say = useTexts<typeof locale>('sales/name-sheet')
  const kit = useTexts<typeof kitLocale>('kit/page')
  const notices = useNotices()
  const tab = useTab()
  const screen = findScreen(tab.path)
  const mayTake = useUser(user => mayDo(user, screen?.key ?? '', 'print'))
  const asked = useAsked()
  const [busy, setBusy] = useState(false)
  const pack = async () => {
    setBusy(true)
    try {
      const { current: _, size: __, ...query } = asQuery(asked)
      await get(`/${screen?.name}/pack`, { query })
      notices.told(say('pack-task'), [{ label: say('open-tasks'), run: () => tab.open('/account/settings/exports') }])
    } catch (error) {
      notices.failed(error, kit('load-failed'))
    } finally {
      setBusy(false)
    }
  }
  if (!mayTake) return null
  return (
    <Tooltip title={say('pack-help')}>
      <Button icon={<FileZipOutlined aria-hidden />} loading={busy} onClick={() => void pack()}>
        {say('pack')}
      </Button>
    </Tooltip>
  )
}
