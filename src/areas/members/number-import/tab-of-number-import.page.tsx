import type { RelatedTab } from '#kit/page/detail/related.ts'
import { later } from '#kit/page/later.tsx'
import type { NumberBatch } from './model.ts'
import { child } from './numbers/model.ts'

const Numbers = later(async () => (await import('./numbers.page.tsx')).Numbers)

export const tab: RelatedTab = {
  order: 5,
  key: child.of.screen.key,
  texts: child.resource.screen.name,
  title: 'title',
  show: (_id, row) => <Numbers batch={row as unknown as NumberBatch} />,
}
