import { isPassing } from '../../call.ts'

/** What the console was told of and could not ask about for want of an answer: it asks with the next connection. */
export function rememberMissed() {
  const missed = new Set<() => Promise<void>>()
  const tell = (ask: () => Promise<void>): void => void ask().catch(error => isPassing(error) && missed.add(ask))
  return {
    tell,
    catchUp() {
      for (const ask of missed) {
        missed.delete(ask)
        tell(ask)
      }
    },
  }
}
