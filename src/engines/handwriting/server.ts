import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Cut } from './cutting.server.ts'
import { askThread } from './thread.server.ts'

/** Where characters stand on a photographed page of practice. Refuses in words what it cannot read. */
export async function findCharacters(bytes: Uint8Array): Promise<Cut> {
  const answer = await askThread({ bytes })
  if ('page' in answer) return answer.page
  const kind = answer.fault === 'busy' ? 'unavailable' : 'validation'
  throw new Refused(refuse(`engines/handwriting:${answer.fault}`), kind)
}
