import { MISSING } from '#kit/page/field/show.tsx'
import { StateTag } from '#kit/page/tone.tsx'

/** A flag people must not overlook: shown only where it is set. */
export function Warned({ is, text }: { is: boolean; text: string }) {
  return is ? <StateTag tone="attention">{text}</StateTag> : MISSING
}
