import type { Fault } from './model.ts'

/** A message as it leaves the house. */
export type Outgoing = {
  /** Names this very attempt to the provider, which reports under it. */
  readonly key: string
  readonly address: string
  readonly title: string
  readonly text: string
  /** What the provider calls the template, where it sends none but those it knows. */
  readonly providerCode: string | null
  readonly values: Readonly<Record<string, string>>
}

/**
 * What came of one attempt. `later`: it certainly did not leave, and may be tried again. `unknown`: nobody answered in time, so it may
 * have left; it is never tried again by itself.
 */
export type Outcome =
  | { readonly kind: 'taken'; readonly said: string }
  | { readonly kind: 'refused'; readonly fault: Fault; readonly said: string }
  | { readonly kind: 'later'; readonly said: string }
  | { readonly kind: 'unknown'; readonly said: string }

export type Attempt = Pick<Outgoing, 'key' | 'address'> & { readonly at: Date }
export type Report = { readonly isDelivered: boolean; readonly fault: Fault; readonly said: string }

export type Provider = {
  /** Speaks to the outside once. What it throws counts as `unknown`. */
  send(message: Outgoing): Promise<Outcome>
  /** What became of an attempt, or nothing while that is not known; null where a provider never tells. */
  readonly report: ((attempt: Attempt) => Promise<Report | undefined>) | null
}
