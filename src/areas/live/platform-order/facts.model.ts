import { isPhone } from '#kit/model/mask.ts'

/**
 * What platforms and the app have told of an order. Events come in any order, more than once and late: each tells facts with
 * the time they are of, and what is told later of the same thing counts, whenever it comes. So the same events leave the same
 * order, however they arrive.
 */
export type Fact = { readonly at: string; readonly value: unknown }
export type Facts = Readonly<Partial<Record<FactName, Fact>>>

/** Happened once, or is what it is for good: what counts is when it is first told of. */
const MOMENTS = ['paid', 'claimed', 'chatAdded', 'registered', 'refunded', 'closed', 'unionid', 'state'] as const
/** Stand until something later is told. */
const STATES = [
  'productName',
  'skuId',
  'productCode',
  'amountFen',
  'platformStatus',
  'afterSale',
  'refundAsked',
  'refundedFen',
  'author',
  'room',
  'ownPhone',
  'platformPhone',
  'registeredPhone',
  'certificate',
  'verified',
  'verifyId',
] as const
export type FactName = (typeof MOMENTS)[number] | (typeof STATES)[number]

type PlatformPhone = { readonly number: string; readonly isVirtual: boolean }
export type Certificate = { readonly id: string; readonly code: string | null; readonly last4: string | null }
/** Whoever tells that it was verified may not know under which number: that is a fact of its own. */
export type Verified = { readonly isOn: boolean; readonly verifyId: string | null }

const isMoment = (name: string): boolean => (MOMENTS as readonly string[]).includes(name)

const PHONES: readonly string[] = ['ownPhone', 'platformPhone', 'registeredPhone'] satisfies FactName[]
/** How much a number tells of its person. Platforms often tell one only in part, or lend one that forwards: such a one is nobody's. */
function weightOf({ value }: Fact): number {
  const { number, isVirtual } =
    typeof value === 'string' ? { number: value, isVirtual: false } : (value as PlatformPhone)
  return isPhone(number) ? (isVirtual ? 1 : 2) : 0
}

/**
 * Which of two tellings of one thing counts. A number that tells less of its person takes the place of none that tells more,
 * however late; where both are of one time, the same one is taken whichever came first.
 */
function counting(name: string, one: Fact, other: Fact): Fact {
  if (PHONES.includes(name) && weightOf(one) !== weightOf(other)) return weightOf(one) > weightOf(other) ? one : other
  const [a, b] = [Date.parse(one.at), Date.parse(other.at)]
  if (a !== b) return a < b === isMoment(name) ? one : other
  return JSON.stringify(one.value) >= JSON.stringify(other.value) ? one : other
}

/** What is known after this was told too. Nothing told twice, or late, changes what counts already. */
export function told(known: Facts, at: string, said: Readonly<Partial<Record<FactName, unknown>>>): Facts {
  const all: Partial<Record<FactName, Fact>> = { ...known }
  for (const [name, value] of Object.entries(said) as [FactName, unknown][]) {
    if (value === undefined || value === null) continue
    const fact = { at, value }
    const before = all[name]
    all[name] = before ? counting(name, before, fact) : fact
  }
  return all
}

export const timeOf = (facts: Facts, name: FactName): string | null => facts[name]?.at ?? null
export const valueIn = <T>(facts: Facts, name: FactName): T | null => (facts[name]?.value as T | undefined) ?? null

export type Status = 'UNPAID' | 'BOUGHT' | 'CLAIMED' | 'REGISTERED' | 'VERIFIED' | 'REFUNDED' | 'CLOSED'

/**
 * How far an order has come: a refund is told from any state, and what is verified stays so only until it is cancelled. Nobody
 * is registered for a course nobody has paid.
 */
export function statusOf(facts: Facts, isBound: boolean): Status {
  if (facts.refunded) return 'REFUNDED'
  if (valueIn<Verified>(facts, 'verified')?.isOn) return 'VERIFIED'
  if (facts.closed) return 'CLOSED'
  if (isBound && facts.paid) return 'REGISTERED'
  if (facts.claimed) return 'CLAIMED'
  return facts.paid ? 'BOUGHT' : 'UNPAID'
}

/** The number the course was bought under: the person's own, else the platform's for this order. */
export function leadPhoneOf(facts: Facts) {
  const platform = valueIn<PlatformPhone>(facts, 'platformPhone')
  const own = valueIn<string>(facts, 'ownPhone')
  if (own !== null && isPhone(own) && own !== lentIn(facts)) return { leadPhone: own, phoneKind: 'OWN' as const }
  if (platform?.isVirtual) return { leadPhone: platform.number, phoneKind: 'VIRTUAL' as const }
  if (platform && isPhone(platform.number)) return { leadPhone: platform.number, phoneKind: 'DECRYPTED' as const }
  // Told only in part, it is nobody's number.
  return { leadPhone: own ?? platform?.number ?? null, phoneKind: null }
}

/** The number the platform lends for the order: it is the buyer's own nowhere, also where it is told as that. */
export function lentIn(facts: Facts): string | null {
  const platform = valueIn<PlatformPhone>(facts, 'platformPhone')
  return platform?.isVirtual ? platform.number : null
}

/**
 * The numbers a member may be found by. One that only forwards calls is given to somebody else tomorrow: whoever has it then
 * is not the buyer.
 */
export function numbersOf(facts: Facts): string[] {
  const lent = lentIn(facts)
  const numbers = [
    valueIn<string>(facts, 'registeredPhone'),
    valueIn<string>(facts, 'ownPhone'),
    valueIn<PlatformPhone>(facts, 'platformPhone')?.number ?? null,
  ]
  return numbers.filter((number): number is string => number !== null && number !== lent && isPhone(number))
}

/** Whether a course is opened by it: paid, and its person known before the money went back. */
export function isOwed(facts: Facts): boolean {
  const { paid, registered, refunded } = facts
  if (!paid || !registered) return false
  return !refunded || Date.parse(registered.at) < Date.parse(refunded.at)
}

export type Exception = 'NONE' | 'UNCLAIMED' | 'PHONE_MISMATCH' | 'REFUNDED_ACTIVE' | 'SAME_PHONE' | 'PRODUCT_UNKNOWN'

/** What else has to be known to say what is wrong with an order. */
type Circumstances = {
  readonly status: Status
  /** Something of what it gave may still be used. */
  readonly isActive: boolean
  /** Bound, and nothing could be opened: the product is none of ours. */
  readonly isUnopened: boolean
  /** The member has another number than it was bought under, and nobody has said that this is right. */
  readonly isMismatch: boolean
  /** Another order that stands was bought under this number. */
  readonly isTwice: boolean
  /** Paid longer ago than anybody should have to wait. */
  readonly isLate: boolean
  /** What somebody has looked after already. */
  readonly handled: readonly string[]
}

/** What somebody has to look at; the worst where there are several. */
export function exceptionOf(now: Circumstances): Exception {
  const found: readonly (readonly [Exception, boolean])[] = [
    ['REFUNDED_ACTIVE', now.status === 'REFUNDED' && now.isActive],
    ['PRODUCT_UNKNOWN', now.isUnopened],
    ['PHONE_MISMATCH', now.status !== 'REFUNDED' && now.isMismatch],
    ['SAME_PHONE', now.status !== 'REFUNDED' && now.status !== 'CLOSED' && now.isTwice],
    ['UNCLAIMED', now.status === 'BOUGHT' && now.isLate],
  ]
  return found.find(([name, holds]) => holds && !now.handled.includes(name))?.[0] ?? 'NONE'
}

/** The platform takes a verification back within this time, and not later. */
export const CANCEL_MS = 3_600_000
