import { LeadRows } from '#areas/sales/lead-rows/lead-rows.page.tsx'
import { laterCounted } from '#kit/page/statistic/counted-page.tsx'
import { resource, statistic } from './model.ts'

const counted = laterCounted(async () => statistic)

export const Page = () => <LeadRows counted={counted} resource={resource} />
