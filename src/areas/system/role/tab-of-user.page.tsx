import type { RelatedTab } from '#kit/page/detail/related.ts'
import { Effective } from './effective.page.tsx'
import { resource } from './model.ts'

/** What a person may do stands with the person. */
export const tab: RelatedTab = {
  order: 90,
  key: resource.screen.key,
  texts: resource.screen.name,
  title: 'effective',
  show: id => <Effective staffId={id} />,
}
