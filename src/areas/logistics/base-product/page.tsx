import { Typography } from 'antd'
import { lazy, Suspense } from 'react'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { Warned } from '../warned.page.tsx'
import type { locale } from './locale.ts'
import { type BaseProduct, resource, workflow } from './model.ts'

const Book = lazy(async () => ({ default: (await import('./book.page.tsx')).Book }))
const Checks = lazy(async () => ({ default: (await import('./book.page.tsx')).Checks }))
const WaitingCheck = lazy(async () => ({ default: (await import('./book.page.tsx')).WaitingCheck }))
const Held = lazy(async () => ({ default: (await import('./book.page.tsx')).Held }))

const side = (Side: typeof Book) =>
  function BookSide({ row }: { row: BaseProduct }) {
    return (
      <Suspense>
        <Side row={row} />
      </Suspense>
    )
  }
const TABS = [
  { name: 'tab.book', Show: side(Book) },
  { name: 'tab.held', Show: side(Held) },
  { name: 'tab.checks', Show: side(Checks) },
]

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      tabs={TABS}
      tells={{ available: (row: BaseProduct) => <WaitingCheck row={row} /> }}
      shows={{
        available: ({ available }: BaseProduct) =>
          available < 0 ? <Typography.Text type="danger">{available}</Typography.Text> : available,
        isLow: (row: BaseProduct) => <Warned is={row.isLow} text={say('field.isLow')} />,
      }}
    />
  )
}
