import * as z from 'zod'
import { WHY_NOT } from '#engines/allocation/model.ts'
import { ruleSet } from '#engines/allocation/rule.model.ts'
import { day, longText } from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'

/** Somebody of a rule who did not get a lead; the name is told to people, and not kept. */
export const passedOver = z.strictObject({ id: z.string(), why: z.enum(WHY_NOT), name: z.string().optional() })
export type PassedOver = z.infer<typeof passedOver>

export const offeredConsultant = z.strictObject({
  id: z.string(),
  name: z.string(),
  team: z.string(),
  isOn: z.boolean(),
  /** As it is unless a rule sets its own. */
  weight: z.int(),
})
export type OfferedConsultant = z.infer<typeof offeredConsultant>

const namedProduct = z.strictObject({ id: z.string(), name: z.string(), isOnSale: z.boolean() })
export type NamedProduct = z.infer<typeof namedProduct>

/** What waits under one rule, and why nobody could have the newest of it. */
const waitingGroup = z.strictObject({
  rule: z.string().nullable(),
  count: z.int(),
  since: z.string(),
  passed: z.array(passedOver),
})
export type WaitingGroup = z.infer<typeof waitingGroup>

/** What waits and no rule takes, by what it came with; the most first. */
export const left = z.strictObject({
  count: z.int(),
  since: z.string().nullable(),
  came: z.array(
    z.strictObject({ source: z.string(), channel: z.string(), product: z.string().nullable(), count: z.int() }),
  ),
})
export type Left = z.infer<typeof left>

/** The rules as they are in force, with everybody they may name. */
export const allocationView = z.strictObject({
  edition: z.string().nullable(),
  set: ruleSet,
  note: z.string(),
  by: z.string().nullable(),
  at: z.string().nullable(),
  consultants: z.array(offeredConsultant),
  products: z.array(namedProduct),
  waiting: z.array(waitingGroup),
  /** The first day that can be replayed. */
  firstDay: z.string().nullable(),
})
export type AllocationView = z.infer<typeof allocationView>

export const newEdition = z.strictObject({ set: ruleSet, note: longText(200), edition: z.string().nullable() })
export const simulation = z.strictObject({ set: ruleSet, day: day() })

/** Leads that passed by because of the cap of a day, and of that of leads nobody has spoken to. */
const full = z.strictObject({ day: z.int(), open: z.int() })

/** How a day went and how it would have gone, for one person. */
const simulatedPerson = z.strictObject({
  id: z.string(),
  name: z.string(),
  real: z.int(),
  would: z.int(),
  full: z.strictObject({ real: full, would: full }),
})
const told = z.strictObject({
  given: z.int(),
  waiting: z.int(),
  minutes: z.number().nullable(),
  longest: z.int(),
  /** Leads that passed somebody by for a cap. */
  dayFull: z.int(),
  openFull: z.int(),
})
export const simulated = z.strictObject({
  day: z.string(),
  leads: z.int(),
  people: z.array(simulatedPerson),
  real: told,
  would: told,
  /** How many leads would have gone to somebody else, or have been given only in one of the two. */
  moved: z.int(),
  /** Whether the day's own rules lead to what happened. */
  isReproduced: z.boolean(),
})
export type Simulated = z.infer<typeof simulated>
export type ToldDay = z.infer<typeof told>

/** Whom and what rules may name. */
export type Nameable = { readonly consultants: ReadonlySet<string>; readonly products: ReadonlySet<string> }

/** The first rule that somebody has not written to its end: such a rule is in no shape to be asked about. */
export function whyUnfinished({ rules }: z.infer<typeof ruleSet>) {
  for (const [at, { key, name, lines }] of rules.entries()) {
    if (name.trim() === '') return { key, code: 'rule-unnamed', params: { nth: at + 1 } } as const
    if (lines.length === 0 || lines.some(({ staffId }) => staffId === ''))
      return { key, code: 'line-unnamed', params: { name } } as const
  }
}

/** What speaks against these rules, and of which it is said. */
export function whyNotRules(
  { rules }: z.infer<typeof ruleSet>,
  { consultants, products: known }: Nameable,
): { readonly field: string; readonly refusal: Refusal } | undefined {
  for (const [at, { name, lines, products, validFrom, validUntil }] of rules.entries()) {
    const said = (field: string, refusal: Refusal) => ({ field: `set.rules.${at}.${field}`, refusal })
    if (rules.findIndex(one => one.name === name) !== at) return said('name', refuse('rule-named-so', { name }))
    if (validFrom !== null && validUntil !== null && validUntil < validFrom)
      return said('validUntil', refuse('rule-ends-before', { name }))
    if (products.some(id => !known.has(id))) return said('products', refuse('no-product', { name }))
    const ids = lines.map(({ staffId }) => staffId)
    if (new Set(ids).size < ids.length) return said('lines', refuse('named-twice', { name }))
    if (ids.some(id => !consultants.has(id))) return said('lines', refuse('no-consultant', { name }))
    if (lines.every(({ isFallback }) => isFallback)) return said('lines', refuse('only-fallback', { name }))
  }
}
