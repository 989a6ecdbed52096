/** Spec §5: how strong a typed password looks. A hint beside the input; what is accepted the server decides. */
export type Strength = 'too-short' | 'low' | 'medium' | 'strong'

/** Spec §9: the template's minimum, below which no bar is shown. The rule in force is longer (docs/security.md). */
export const HINT_MINIMUM = 6

const MEDIUM_POINTS = 11
const STRONG_POINTS = 16

/** Different characters count, and each further class of them; a long sentence is as strong as a short jumble. */
export function strengthOf(typed: string): Strength {
  const characters = [...typed]
  if (characters.length < HINT_MINIMUM) return 'too-short'
  const classes = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{Ll}\p{Lu}\p{Nd}]/u].filter(kind => kind.test(typed)).length
  const points = new Set(characters).size + 2 * classes
  if (points >= STRONG_POINTS) return 'strong'
  return points >= MEDIUM_POINTS ? 'medium' : 'low'
}
