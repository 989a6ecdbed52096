import type { RelatedTab } from '#kit/page/detail/related.ts'
import { later } from '#kit/page/later.tsx'
import { resource } from './model.ts'

const LeadStanding = later(async () => (await import('./lead.page.tsx')).LeadStanding)

export const tab: RelatedTab = {
  order: 5,
  key: resource.screen.key,
  texts: resource.screen.name,
  title: 'tab.lead',
  show: (id, row) => <LeadStanding id={id} isOfLead={row.kind === 'TAKE_OVER'} applicantId={String(row.applicantId)} />,
}
