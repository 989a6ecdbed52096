import type { Shape } from '#kit/model/resource.ts'
import { useTexts } from '#kit/page/language.ts'
import type { RowLink } from '#kit/page/list/row-link.ts'
import { recordPath } from '#kit/page/screens.ts'
import { type Counted, CountedPage } from '#kit/page/statistic/counted-page.tsx'
import { area } from '../area.ts'
import type { locale } from './locale.ts'

/** Whether the lead may be seen, the detail alone knows. */
type LeadRow = { readonly leadId: string; readonly seesLead?: boolean }

/** What was done with leads, in numbers and row by row, each with the way to its lead for whoever may still see that. */
export function LeadRows<S extends Shape>({ counted, resource }: Pick<Counted<S>, 'counted' | 'resource'>) {
  const say = useTexts<typeof locale>('sales/lead-rows')
  const links = (row: unknown): RowLink[] => {
    const { leadId, seesLead } = row as LeadRow
    if (seesLead === undefined) return []
    const path = recordPath(area.screens.salvage.route, leadId)
    return [{ text: say('open-lead'), path, why: seesLead ? undefined : say('lead-of-other') }]
  }
  return <CountedPage counted={counted} resource={resource} links={links} />
}
