import { LeadRows } from '#areas/sales/lead-rows/lead-rows.page.tsx'
import { laterCounted } from '#kit/page/statistic/counted-page.tsx'
import { resource } from './spans.model.ts'

const counted = laterCounted(async () => (await import('./model.ts')).statistic)

export const Page = () => <LeadRows counted={counted} resource={resource} />
