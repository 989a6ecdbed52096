import type { RelatedTab } from '#kit/page/detail/related.ts'
import { later } from '#kit/page/later.tsx'
import { resource } from './model.ts'

const Calendar = later(async () => (await import('./calendar.page.tsx')).Calendar)

export const tab: RelatedTab = {
  order: 45,
  key: resource.screen.key,
  texts: resource.screen.name,
  title: 'tab',
  show: id => <Calendar memberId={id} />,
}
