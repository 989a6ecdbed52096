import type { Glyph } from '#engines/stroke/glyph.model.ts'
import { readGlyph } from '#engines/stroke/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { PageScore } from './scoring.server.ts'
import { askThread } from './thread.server.ts'

export type { PageScore, ScoredCharacter } from './scoring.server.ts'

/**
 * Judges a photographed page of practice on which this text was to be written (decision 060), or says why it cannot be read; one
 * page after another, in a thread beside the server.
 */
export const judgePage = (bytes: Uint8Array, { text }: { readonly text: string }) => askThread({ bytes, text })

/** As `judgePage`; what cannot be read is refused in words. */
export async function scorePage(bytes: Uint8Array, text: { readonly text: string }): Promise<PageScore> {
  const answer = await judgePage(bytes, text)
  if ('page' in answer) return answer.page
  const kind = answer.fault === 'busy' ? 'unavailable' : 'validation'
  throw new Refused(refuse(`engines/handwriting:${answer.fault}`), kind)
}

/** How a character is to be written, to be shown beside how it was. */
export const characterModel = (char: string): Promise<Glyph | undefined> => readGlyph(char)
