import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { StateTag } from '#kit/page/tone.tsx'
import { type ChatAccount, leftToday, resource, workflow } from './model.ts'

const Adds = later(async () => (await import('./adds.page.tsx')).Adds)
const LinkCode = later(async () => (await import('#engines/copybook/code.page.tsx')).LinkCode)

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      shows={{
        usedToday: (row: ChatAccount) => <Used account={row} />,
        squares: ({ squares, link, nickname }: ChatAccount) =>
          link && <LinkCode squares={squares} link={link} name={nickname} />,
      }}
      tabs={[{ name: 'tab.adds', Show: Adds }]}
    />
  )
}

/** Orange where no more people can be added today. */
function Used({ account }: { account: ChatAccount }) {
  const { usedToday, dayQuota } = account
  const told = `${usedToday} / ${dayQuota}`
  return leftToday(account) === 0 ? <StateTag tone="attention">{told}</StateTag> : told
}
