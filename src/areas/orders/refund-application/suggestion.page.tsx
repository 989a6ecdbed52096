import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Form } from 'antd'
import { CallFailed, get, reasonOf } from '#kit/page/call.ts'
import type { CalculatedLine, SuggestedLine, UnsentLine } from './calculation.model.ts'
import { type RefundApplication, resource } from './model.ts'
import type { L2Reason } from './second-approval.model.ts'

export type Suggestion = {
  suggestedFen: number
  leftFen: number
  windowDays: number
  /** The ways the money can go back, the usual one first. */
  routes: RefundApplication['route'][]
  lines: SuggestedLine[]
  taken: CalculatedLine[] | null
  l2Reasons: L2Reason[]
}

/** What the order of the form should give back, and what the amount in it would take, as the server sees it now; or why it gives nothing back. */
export function useSuggestion(): { readonly data?: Suggestion | undefined; readonly whyNot?: string | undefined } {
  const form = Form.useFormInstance()
  const orderId = Form.useWatch<string | undefined>('orderId', form)
  const amountFen = Form.useWatch<unknown>('amountFen', form)
  const unsent = Form.useWatch<UnsentLine[] | undefined>('unsent', form) ?? []
  const asked = new URLSearchParams({ orderId: orderId ?? '' })
  if (typeof amountFen === 'number' && amountFen > 0) asked.set('amountFen', String(amountFen))
  for (const [name, choice] of [['cancel', 'CANCEL'] as const, ['send', 'SEND'] as const]) {
    const ids = unsent.filter(line => line.choice === choice).map(({ lineId }) => lineId)
    if (ids.length > 0) asked.set(name, ids.join(','))
  }
  const { data, error } = useQuery({
    queryKey: [resource.screen.name, 'suggestion', asked.toString()],
    queryFn: ({ signal }) => get<Suggestion>(`/${resource.screen.name}/suggestion?${asked}`, { signal }),
    enabled: Boolean(orderId),
    // What stood there a moment ago stays until the next answer: nothing jumps while somebody types.
    placeholderData: keepPreviousData,
    retry: false,
  })
  return orderId ? { data, whyNot: error instanceof CallFailed ? reasonOf(error) : undefined } : {}
}
