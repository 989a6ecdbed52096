import * as z from 'zod'
import { offeredConsultant } from '#areas/sales/consultant/rules.model.ts'
import {
  MAX_LINES,
  MAX_RULES,
  type Rule,
  type RuleLine,
  type RuleSet,
  ruleLine,
} from '#engines/allocation/rule.model.ts'
import { day, longText, optional } from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'

/** What roles can be given on this page. */
export const actions = ['list', 'update']

/** Somebody who gets leads of a channel, and how many by the rules of late. */
const receiver = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** What counts: the line's own, else that of the consultant's terms. */
  weight: z.int(),
  isFallback: z.boolean(),
  isOn: z.boolean(),
  given: z.int(),
})
export type Receiver = z.infer<typeof receiver>

/** A rule that may take leads of the channel, in the order in which they are asked. */
const taker = z.strictObject({
  key: z.string(),
  name: z.string(),
  /** Of this channel and no other. */
  isOwn: z.boolean(),
  /** Only what comes from these; all where none is named. */
  sources: z.array(z.string()),
  /** Only what names one of these products, by what they are called; everything where none is named. */
  products: z.array(z.string()),
  validFrom: z.string().nullable(),
  validUntil: z.string().nullable(),
  receivers: z.array(receiver),
})
export type Taker = z.infer<typeof taker>

const saleLine = z.strictObject({
  code: z.string(),
  group: z.string(),
  status: z.enum(['ACTIVE', 'PAUSED', 'ENDED']),
  takers: z.array(taker),
  /** Of late: given by the rules, and how long they waited on average. */
  given: z.int(),
  minutes: z.number().nullable(),
  waiting: z.int(),
  /** As they were entered, where the channel has a line of its own. */
  lines: z.array(ruleLine),
})
export type SaleLine = z.infer<typeof saleLine>

/** Figures are of so many days. */
export const DAYS = 30

/** Whom the leads of each channel go to. */
export const saleLines = z.strictObject({
  edition: z.string().nullable(),
  channels: z.array(saleLine),
  consultants: z.array(offeredConsultant),
})
export type SaleLines = z.infer<typeof saleLines>

/** The line of a channel as somebody wants it; without anybody its leads go by the other rules. */
export const newLine = z.strictObject({
  code: z.string().min(1).max(100),
  lines: z.array(ruleLine).max(MAX_LINES),
  validFrom: optional(day()),
  validUntil: optional(day()),
  note: longText(200),
  /** Of the rules that were seen. */
  edition: z.string().nullable(),
})
export type NewLine = z.infer<typeof newLine>

const isOwn = ({ sources, channels, products }: Rule, code: string): boolean =>
  sources.length === 0 && products.length === 0 && channels.length === 1 && channels[0] === code

const mayTake = ({ channels }: Rule, code: string): boolean => channels.length === 0 || channels.includes(code)

export const ownRuleOf = ({ rules }: RuleSet, code: string): Rule | undefined => rules.find(rule => isOwn(rule, code))

/** The rules its leads may go by, up to the one that takes whatever the others left. */
export function takersOf({ rules }: RuleSet, code: string, today: string): Rule[] {
  const asked = rules.filter(rule => mayTake(rule, code) && (rule.validUntil === null || today <= rule.validUntil))
  const last = asked.findIndex(
    ({ sources, products, validFrom, validUntil }) =>
      sources.length === 0 &&
      products.length === 0 &&
      (validFrom === null || validFrom <= today) &&
      validUntil === null,
  )
  return last < 0 ? asked : asked.slice(0, last + 1)
}

type Channel = { readonly id: string; readonly code: string; readonly name: string }
type Wanted = { readonly lines: readonly RuleLine[] } & Pick<Rule, 'validFrom' | 'validUntil'>
const MAX_NAME = 50

/** All rules, with this channel's own line as it is wanted: asked before any other that would take its leads. */
export function withLine(set: RuleSet, { id, code, name }: Channel, { lines, validFrom, validUntil }: Wanted): RuleSet {
  const own = ownRuleOf(set, code)
  const others = set.rules.filter(rule => rule !== own)
  if (lines.length === 0) return { ...set, rules: others }
  const isNamedSo = (wanted: string) => others.some(rule => rule.name === wanted)
  const called = name.slice(0, MAX_NAME)
  const rule: Rule = {
    key: own?.key ?? `line-${id}`,
    name: own?.name ?? (isNamedSo(called) ? `${name.slice(0, MAX_NAME - 20)} ${id}` : called),
    ...{ sources: [], channels: [code], products: [], validFrom, validUntil, lines: [...lines] },
  }
  const before = others.findIndex(other => mayTake(other, code))
  return { ...set, rules: others.toSpliced(before < 0 ? others.length : before, 0, rule) }
}

/** Why there cannot be one more. */
export const whyNotMore = ({ rules }: RuleSet): Refusal | undefined =>
  rules.length > MAX_RULES ? refuse('too-many', { max: MAX_RULES }) : undefined

/** Of a hundred leads so many are to go to each of the first in line, those who are asked only where nobody else may have one apart. */
export function sharesOf(receivers: readonly Receiver[]): ReadonlyMap<string, number> {
  const asked = receivers.filter(({ isFallback, isOn }) => !isFallback && isOn)
  const whole = asked.reduce((sum, { weight }) => sum + weight, 0)
  return new Map(asked.map(({ id, weight }) => [id, Math.round((weight * 100) / whole)]))
}
