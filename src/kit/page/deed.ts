import { isPassing } from './call.ts'

/** Keys under which something was asked that got no answer: it may have been done all the same. */
const unanswered = new Map<string, string>()

/**
 * Does something under a key of its own. What got no answer is asked again under the same key, so that it is done once
 * however often it is pressed; what was answered, yes or no, is settled, and the next press means something new.
 */
export async function doOnce<T>(deed: string, ask: (idempotencyKey: string) => Promise<T>): Promise<T> {
  const key = unanswered.get(deed) ?? crypto.randomUUID()
  unanswered.set(deed, key)
  try {
    const answer = await ask(key)
    unanswered.delete(deed)
    return answer
  } catch (error) {
    if (!isPassing(error)) unanswered.delete(deed)
    throw error
  }
}

/**
 * What names a deed for as long as the records stand as they were seen. Once one of them has changed, or where that
 * cannot be told, the same step is another deed.
 */
export function deedOf(step: string, ids: readonly string[], versions: readonly unknown[]): string {
  const isKnown = versions.length === ids.length && versions.every(version => typeof version === 'number')
  return [step, ...(isKnown ? ids.map((id, at) => `${id}@${versions[at]}`) : [crypto.randomUUID()])].join(' ')
}
