import { defineQuestion } from '#kit/server/change/question.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import type { Library } from './scope.server.ts'

export type ChainInForce = { readonly recordId: string; readonly chainId: string; readonly edition: number }

/** The chain that decides about an event now: published and switched on. */
export const chainInForce = defineQuestion<{ readonly db: Queries; readonly event: string }, ChainInForce | undefined>(
  'rule-chain-in-force',
)

export type InForce = { readonly library: Library; readonly chain: ChainInForce | undefined }

/**
 * Everything chains may speak of, as it is published now, and which of them decides about the event, all of one moment. Read for
 * each run: what was published a moment ago holds everywhere.
 */
export const rulesInForce = defineQuestion<{ readonly event: string }, InForce>('rules-in-force')
