import { colleague, optional } from '#kit/model/field.ts'
import { area } from '../area.ts'

const colleagueHere = () => colleague(area.screens.campaign, 'list')
/** Who looks at the words on a phone before they go out. */
export const sampled = {
  toId: colleagueHere(),
  secondId: optional(colleagueHere()),
  thirdId: optional(colleagueHere()),
}
type Sampled = { readonly toId: string; readonly secondId: string | null; readonly thirdId: string | null }

/** By the field each was named in; whoever is named twice gets it once. */
export function sampleTo(asked: Sampled): ReadonlyMap<string, keyof Sampled> {
  const fields = new Map<string, keyof Sampled>()
  for (const field of Object.keys(sampled) as (keyof Sampled)[]) {
    const id = asked[field]
    if (id !== null && !fields.has(id)) fields.set(id, field)
  }
  return fields
}
