import type { RelatedTab } from '#kit/page/detail/related.ts'
import { later } from '#kit/page/later.tsx'
import { resource } from './model.ts'

const Wall = later(async () => (await import('./wall.page.tsx')).Wall)

export const tab: RelatedTab = {
  order: 40,
  key: resource.screen.key,
  texts: resource.screen.name,
  title: 'tab.member',
  show: id => <Wall memberId={id} />,
}
