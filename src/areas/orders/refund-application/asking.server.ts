import { onField, refuse } from '#kit/model/refusal.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { UnsentLine } from './calculation.model.ts'
import type { RefundApplication } from './model.ts'
import { routesOf } from './paying.server.ts'
import type { Choices, Known } from './suggesting.model.ts'

/** What was said about goods that have not left, line by line of this order. */
export function choicesOf({ lines }: Known, unsent: readonly UnsentLine[]): Choices {
  if (unsent.some(({ lineId }) => lines.every(line => line.lineId !== lineId)))
    throw onField('unsent', refuse('refund-no-line'))
  return new Map(unsent.map(({ lineId, choice }) => [lineId, choice]))
}

type Way = Pick<RefundApplication, 'route' | 'payee' | 'payeeName' | 'payeeAccount'>

/** The money goes a way that is there; what is paid by bank says to whom. */
export async function requireRoute({ tx }: Operation, orderId: string, given: Way): Promise<void> {
  const routes = await routesOf(tx, orderId)
  if (given.route === 'ORIGINAL' && !routes.includes('ORIGINAL')) throw onField('route', refuse('refund-no-payment'))
  if (given.route === 'PLATFORM' && !routes.includes('PLATFORM')) throw onField('route', refuse('refund-no-platform'))
  for (const field of ['payee', 'payeeName', 'payeeAccount'] as const) {
    if (given.route === 'OFFLINE' && given[field] === null) throw onField(field, refuse('refund-payee-missing'))
    if (given.route !== 'OFFLINE' && given[field] !== null) throw onField(field, refuse('refund-payee-offline'))
  }
}
