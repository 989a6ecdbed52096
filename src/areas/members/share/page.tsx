import { addDays } from '#kit/model/time.ts'
import { MISSING } from '#kit/page/field/show.tsx'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { resource, type Share, workflow } from './model.ts'

const Like = later(async () => (await import('./like.page.tsx')).Like)

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      shows={{
        period: ({ period }: Share) => `${period} – ${addDays(period, 6).slice(5)}`,
        rewardCoins: ({ status }: Share) => (status === 'SUBMITTED' ? MISSING : null),
        like: ({ like }: Share) => like && <Like like={like} />,
      }}
    />
  )
}
