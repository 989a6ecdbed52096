import { Segmented } from 'antd'
import { useState } from 'react'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { recordOf } from '#kit/page/screens.ts'
import { useTab } from '#kit/page/tab.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

const Month = later(async () => (await import('./month.page.tsx')).Month)

/** The plan as a list to work on, or as the pages of a calendar. */
export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const isRecord = recordOf(useTab().path) !== undefined
  const [look, turn] = useState<'list' | 'calendar'>('list')
  const choice = (
    <Segmented
      aria-label={say('look')}
      value={look}
      onChange={turn}
      options={[
        { value: 'list', label: say('look.list') },
        { value: 'calendar', label: say('look.calendar') },
      ]}
    />
  )
  if (look === 'list' || isRecord) return <ListPage resource={resource} tools={choice} />
  return <Month choice={choice} />
}
