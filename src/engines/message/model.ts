import { mask } from '#kit/model/mask.ts'
import { formatFen } from '#kit/model/money.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { formatInstant, isDay } from '#kit/model/time.ts'

/** How a message reaches somebody: in the open console, on the phone, by mail. */
export const CHANNELS = ['WEB', 'SMS', 'EMAIL'] as const
export type Channel = (typeof CHANNELS)[number]

/** What a message is for decides what binds it: a code is never delayed, advertising asks for consent first. */
export const KINDS = ['CODE', 'NOTICE', 'MARKETING'] as const
export type Kind = (typeof KINDS)[number]

export const VARIABLE_KINDS = ['TEXT', 'NUMBER', 'MONEY', 'DAY', 'INSTANT'] as const
type VariableKind = (typeof VARIABLE_KINDS)[number]

/** A hole of a template: its name, what may fill it, and what it looks like filled. */
export type Variable = { readonly name: string; readonly kind: VariableKind; readonly sample: string }

/** What fills a hole of each kind: money in fen, an instant as a date. */
type Values = { TEXT: string; NUMBER: number; MONEY: number; DAY: string; INSTANT: Date }

type Holes = Readonly<Record<string, { readonly kind: VariableKind; readonly sample: string }>>
export type ValuesOf<H extends Holes> = { readonly [Name in keyof H]: Values[H[Name]['kind']] }

/** A message a slice sends: its words are where people begin, and may be changed by them; its holes may not. */
export type Shipped<H extends Holes = Holes> = {
  readonly code: string
  readonly channel: Channel
  readonly kind: Kind
  readonly title: string
  readonly body: string
  readonly holes: H
}

export const MAX_TITLE = 100
export const MAX_BODY = 500
export const MAX_VARIABLES = 20
export const VARIABLE_NAME = /^[a-z][A-Za-z0-9]{0,29}$/

/** A misspelt hole is a mistake of ours, found at start. */
export function defineMessage<const H extends Holes>(message: Shipped<H>): Shipped<H> {
  const wrong = whyNotFilled(message, variablesOf(message)) ?? whyNotSent(message)
  if (wrong) throw new Error(`${message.code}: ${wrong.code} ${JSON.stringify(wrong.params ?? {})}`)
  return message
}

export const variablesOf = ({ holes }: Pick<Shipped, 'holes'>): Variable[] =>
  Object.entries(holes).map(([name, hole]) => ({ name, ...hole }))

const HOLE = /\{([^{}]*)\}/g

/** The names in braces, each once. */
export const holesIn = (text: string): string[] => [...new Set([...text.matchAll(HOLE)].map(([, name = '']) => name))]

/** Names are put into their holes and nothing else happens: a template decides nothing, and runs nothing. */
export const fillIn = (text: string, filled: Readonly<Record<string, string>>): string =>
  text.replace(HOLE, (hole, name: string) => (Object.hasOwn(filled, name) ? (filled[name] as string) : hole))

const IN_WORDS: { readonly [K in VariableKind]: (value: Values[K]) => string } = {
  TEXT: value => value,
  NUMBER: value => String(value),
  MONEY: value => formatFen(value),
  DAY: value => value,
  INSTANT: value => formatInstant(value).slice(0, 16),
}

/** What each hole is filled with, as the receiver reads it. */
export const inWords = <H extends Holes>({ holes }: Shipped<H>, values: ValuesOf<H>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(holes).map(([name, { kind }]) => [
      name,
      (IN_WORDS[kind] as (value: unknown) => string)(values[name]),
    ]),
  )

/** The same template as people look at it before anything is sent. */
export const samplesOf = (variables: readonly Variable[]): Record<string, string> =>
  Object.fromEntries(variables.map(({ name, sample }) => [name, sample]))

const IS_SAMPLE: Readonly<Record<VariableKind, (sample: string) => boolean>> = {
  TEXT: sample => sample !== '',
  NUMBER: sample => /^\d{1,15}$/.test(sample),
  MONEY: sample => /^¥\d{1,3}(,?\d{3})*\.\d{2}$/.test(sample),
  DAY: sample => isDay(sample),
  INSTANT: sample => /^\d{4}-\d{2}-\d{2} ([01]\d|2[0-3]):[0-5]\d$/.test(sample) && isDay(sample.slice(0, 10)),
}

/** Advertising says how one is rid of it: the operators refuse it otherwise. */
const OPT_OUT = /拒收/

/** Why a text and its variables do not fit together, or nothing. */
export function whyNotFilled(
  { title, body }: Pick<Shipped, 'title' | 'body'>,
  variables: readonly Variable[],
): Refusal | undefined {
  const names = variables.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined) return refuse('engines/message:variable-twice', { name: twice })
  const strange = variables.find(({ kind: of, sample }) => !IS_SAMPLE[of](sample))
  if (strange) return refuse('engines/message:sample-wrong', { name: strange.name })
  const unknown = holesIn(title + body).find(name => !names.includes(name))
  if (unknown !== undefined) return refuse('engines/message:variable-unknown', { name: unknown })
}

/** Why a text may not go out by this channel for this purpose, or nothing. */
export function whyNotSent({ channel, kind, body }: Pick<Shipped, 'channel' | 'kind' | 'body'>): Refusal | undefined {
  if (kind === 'MARKETING' && channel === 'SMS' && !OPT_OUT.test(body)) return refuse('engines/message:opt-out-missing')
}

const FIRST_PART = 70
const LONG_PART = 67

/** How many text messages one text is: up to 70 signs one, beyond that 67 each. */
export const partsOf = (text: string): number => (text.length <= FIRST_PART ? 1 : Math.ceil(text.length / LONG_PART))

/** What a provider says, without the address it repeats: whoever may read the one may not read the other. */
export function withoutAddress(said: string, address: string | null): string {
  if (!address) return said
  const spelled = new RegExp(address.replace(/[^\p{L}\p{N}]/gu, '\\$&'), 'gi')
  return said.replace(spelled, () => mask(address.includes('@') ? 'email' : 'phone', address))
}

/** Why a message has not reached anybody, as far as we know. */
export const FAULTS = ['BAD_ADDRESS', 'BLOCKED', 'LIMITED', 'SWITCHED_OFF', 'TEMPLATE', 'ACCOUNT', 'REJECTED'] as const
export type Fault = (typeof FAULTS)[number]

/** Whether a member wants to be advertised to, as far as anybody has asked. */
export type Consent = 'GIVEN' | 'OPTED_OUT' | 'NONE'
/** The same of the number a message goes to: what is not the member's own by now is somebody else's, who agreed to nothing. */
export type ConsentAt = Consent | 'OTHER_NUMBER'

/** What the business has set for advertising. Hours are those of Shanghai. */
export type Terms = { readonly quietFrom: number; readonly quietUntil: number; readonly marketingDays: number }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ZONE_HOURS = 8

/** When a message of advertising may leave: at once, or at the end of the quiet hours it falls into. */
export function afterQuiet(now: Date, { quietFrom, quietUntil }: Pick<Terms, 'quietFrom' | 'quietUntil'>): Date {
  const local = now.getTime() + ZONE_HOURS * HOUR_MS
  const hour = Math.floor((local % DAY_MS) / HOUR_MS)
  const isQuiet =
    quietFrom <= quietUntil ? hour >= quietFrom && hour < quietUntil : hour >= quietFrom || hour < quietUntil
  if (!isQuiet) return now
  const midnight = local - (local % DAY_MS)
  const end = midnight + quietUntil * HOUR_MS + (hour >= quietUntil ? DAY_MS : 0)
  return new Date(end - ZONE_HOURS * HOUR_MS)
}

type Asked = {
  readonly kind: Kind
  readonly hasAddress: boolean
  readonly now: Date
  readonly terms: Terms
  readonly consent: ConsentAt
  /** When advertising went to the same person last. */
  readonly lastAt: Date | null
}
export type Judged =
  | { readonly status: 'SENDING' }
  | { readonly status: 'SCHEDULED'; readonly cause: 'QUIET_HOURS'; readonly at: Date }
  | {
      readonly status: 'WITHHELD'
      readonly cause: 'NO_ADDRESS' | 'NO_CONSENT' | Exclude<ConsentAt, 'GIVEN' | 'NONE'> | 'LATELY'
    }

/** Whether a message leaves now, later or not at all. Only advertising is bound by hours, consent and its last time. */
export function judge({ kind, hasAddress, now, terms, consent, lastAt }: Asked): Judged {
  if (!hasAddress) return { status: 'WITHHELD', cause: 'NO_ADDRESS' }
  if (kind !== 'MARKETING') return { status: 'SENDING' }
  if (consent !== 'GIVEN') return { status: 'WITHHELD', cause: consent === 'NONE' ? 'NO_CONSENT' : consent }
  if (lastAt && now.getTime() - lastAt.getTime() < terms.marketingDays * DAY_MS)
    return { status: 'WITHHELD', cause: 'LATELY' }
  const at = afterQuiet(now, terms)
  return at > now ? { status: 'SCHEDULED', cause: 'QUIET_HOURS', at } : { status: 'SENDING' }
}
