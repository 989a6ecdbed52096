import * as z from 'zod'
import { day, dictionary, flag, number, optional, reference, text } from '#kit/model/field.ts'

export const MAX_RULES = 50
export const MAX_LINES = 200
const MAX_WEIGHT = 100
const MAX_HOLIDAYS = 60
const MAX_NAMED = 50

/** Somebody leads are given to; without a weight of the line, the one of the consultant's own terms. */
export const ruleLine = z.strictObject({
  staffId: reference('staff'),
  weight: optional(number(1, MAX_WEIGHT)),
  /** Asked only where nobody else of the rule may have one. */
  isFallback: flag(),
})
export type RuleLine = z.infer<typeof ruleLine>

/** Which leads go to whom. What names no source, no channel or no product takes all of them. */
const rule = z.strictObject({
  /** Stays the same from one edition to the next, so that turns go on. */
  key: z.string().regex(/^[a-z0-9-]{1,40}$/),
  name: text(50),
  sources: z.array(dictionary('MEMBER_SOURCE')).max(MAX_NAMED),
  channels: z.array(dictionary('CHANNEL')).max(MAX_NAMED),
  /** A lead that names no product is none of these. */
  products: z.array(reference('product')).max(MAX_NAMED),
  validFrom: optional(day()),
  validUntil: optional(day()),
  lines: z.array(ruleLine).min(1).max(MAX_LINES),
})
export type Rule = z.infer<typeof rule>

/** All rules, in the order in which they are asked; put in force together, under one number. */
export const ruleSet = z.strictObject({
  rules: z.array(rule).max(MAX_RULES),
  /** Nobody gets a lead on these days. */
  holidays: z.array(day()).max(MAX_HOLIDAYS),
  /** Whoever leads the group is told of what has waited so long. */
  warnMinutes: number(1, 1_440),
})
export type RuleSet = z.infer<typeof ruleSet>

/** What a rule is chosen by. The product is the one the lead names when it comes to wait, where it names any. */
export type Came = { readonly source: string; readonly channel: string; readonly productId: string | null }

/** The first rule that takes what came so, on this day. */
export const ruleFor = ({ rules }: RuleSet, { source, channel, productId }: Came, today: string): Rule | undefined =>
  rules.find(
    ({ sources, channels, products, validFrom, validUntil }) =>
      (sources.length === 0 || sources.includes(source)) &&
      (channels.length === 0 || channels.includes(channel)) &&
      (products.length === 0 || (productId !== null && products.includes(productId))) &&
      (validFrom === null || validFrom <= today) &&
      (validUntil === null || today <= validUntil),
  )
