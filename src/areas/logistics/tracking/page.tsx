import { Button, Space } from 'antd'
import { lazy, Suspense } from 'react'
import { addDays, dayOf } from '#kit/model/time.ts'
import { Instant, MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { useTab } from '#kit/page/tab.ts'
import { PartList, PiecesInput } from '../parts.page.tsx'
import type { locale } from './locale.ts'
import { resource, type Tracked, workflow } from './model.ts'

const Way = lazy(async () => ({ default: (await import('./way.page.tsx')).Way }))

const TABS = [
  {
    name: 'field.events',
    Show: ({ row }: { row: Tracked }) => (
      <Suspense>
        <Way events={row.events} />
      </Suspense>
    ),
  },
]

/** Days without news after which somebody should look. */
const STUCK_DAYS = [3, 7] as const

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={{ parts: () => <PiecesInput /> }}
      tools={<StuckButtons />}
      tabs={TABS}
      shows={{
        parts: (row: Tracked) => <PartList parts={row.parts} />,
        sentAt: (row: Tracked) => <Sent row={row} />,
        returns: (row: Tracked) => <Returns returns={row.returns} />,
      }}
    />
  )
}

/** Parcels under way of which nothing was heard for some days. */
function StuckButtons() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const tab = useTab()
  const show = (days: number) =>
    tab.change({ status: ['SENT'], lastEventAtEnd: [addDays(dayOf(new Date()), -days)], current: undefined })
  return (
    <Space size={8}>
      {STUCK_DAYS.map(days => (
        <Button key={days} onClick={() => show(days)}>
          {say('stuck', { days })}
        </Button>
      ))}
    </Space>
  )
}

const DAY_MS = 86_400_000

/** When it left, and for how many days it has been, or was, under way. */
function Sent({ row: { sentAt, signedAt, status } }: { row: Tracked }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (sentAt === null) return MISSING
  const end = signedAt ?? (status === 'SENT' ? new Date().toISOString() : undefined)
  const days = end === undefined ? undefined : Math.max(0, Math.floor((Date.parse(end) - Date.parse(sentAt)) / DAY_MS))
  return (
    <Space size={8}>
      <Instant at={sentAt} />
      {days !== undefined && <span className="inkstone-note">{say('days', { days })}</span>}
    </Space>
  )
}

function Returns({ returns }: Pick<Tracked, 'returns'>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <Space orientation="vertical" size={0}>
      {returns.map(({ baseProductId, name, quantity, returned }) => (
        <span key={baseProductId}>
          {name}: {say('returned-of', { returned, quantity })}
        </span>
      ))}
    </Space>
  )
}
