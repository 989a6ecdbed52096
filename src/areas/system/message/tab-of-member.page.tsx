import type { RelatedTab } from '#kit/page/detail/related.ts'
import { later } from '#kit/page/later.tsx'
import { resource } from './model.ts'

const Received = later(async () => (await import('./received.page.tsx')).Received)

export const tab: RelatedTab = {
  order: 60,
  key: resource.screen.key,
  texts: resource.screen.name,
  title: 'related',
  show: id => <Received memberId={id} />,
}
