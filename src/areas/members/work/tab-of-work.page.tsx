import type { RelatedTab } from '#kit/page/detail/related.ts'
import { later } from '#kit/page/later.tsx'
import { resource } from './model.ts'

const Comments = later(async () => (await import('#areas/members/work-desk/comments.page.tsx')).Comments)

export const tab: RelatedTab = {
  order: 10,
  key: resource.screen.key,
  texts: resource.screen.name,
  title: 'tab.comments',
  show: (id, row) => <Comments workId={id} picture={row.picture as string[]} />,
}
