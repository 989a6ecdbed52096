import { Button, Space } from 'antd'
import { addDays, dayOf } from '#kit/model/time.ts'
import { MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { useTab } from '#kit/page/tab.ts'
import type { locale } from './locale.ts'
import { type CheckIn, daysSince, resource, workflow } from './model.ts'

/** After how many days away somebody should ask. */
const LAPSED_DAYS = [3, 7, 14] as const

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      tools={<LapsedButtons />}
      shows={{ quietSince: ({ quietSince }: CheckIn) => <Away since={quietSince} /> }}
    />
  )
}

/** Pupils whose last day of a plan lies so far back. */
function LapsedButtons() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const tab = useTab()
  const show = (days: number) =>
    tab.change({ status: ['DONE'], quietSinceEnd: [addDays(dayOf(new Date()), -days)], current: undefined })
  return (
    <Space size={8} wrap>
      {LAPSED_DAYS.map(days => (
        <Button key={days} onClick={() => show(days)}>
          {say('lapsed', { days })}
        </Button>
      ))}
    </Space>
  )
}

function Away({ since }: { since: string | null }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (since === null) return MISSING
  const days = daysSince(since, dayOf(new Date()))
  return (
    <Space size={8}>
      {since}
      {days > 1 && <span className="inkstone-note">{say('away', { days })}</span>}
    </Space>
  )
}
