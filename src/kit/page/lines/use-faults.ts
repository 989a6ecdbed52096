import { useLineErrors } from '../form/line-errors.ts'
import type { locale } from '../form/locale.ts'
import { isSame } from '../form/merge.ts'
import { useTexts } from '../language.ts'
import { hasKey, keyOf } from './line-keys.ts'

/** What is wrong with the parts of one line, in words; under '' what is said of the line itself. */
export type Faults = Readonly<Record<string, string>>
const NONE: Faults = {}

/** What is still wrong with a line: it goes along when the line moves, and is gone once that part was changed. */
export function useFaults<L extends object>(): { faultsOf(line: L): Faults; readonly elsewhere: readonly string[] } {
  const say = useTexts<typeof locale>('kit/page/form')
  const { errors, lines } = useLineErrors()
  const seen = Array.isArray(lines) ? (lines as L[]) : []
  const found = errors.flatMap(([path, words]) => {
    const [at, part = ''] = path.split('.')
    const line = seen[Number(at)]
    return line && hasKey(line) ? [{ key: keyOf(line), line, part, words }] : []
  })
  // What is sent may be made of other lines than those drawn: then their number has to do.
  const loose = errors.filter(([path]) => !hasKey(seen[Number.parseInt(path, 10)] ?? {}))
  const elsewhere = loose.map(([path, message]) => say('in-line', { number: Number.parseInt(path, 10) + 1, message }))
  const faultsOf = (line: L) => {
    const own = found.filter(
      ({ key, line: before, part }) => key === keyOf(line) && isSame(of(before, part), of(line, part)),
    )
    return own.length === 0 ? NONE : Object.fromEntries(own.map(({ part, words }) => [part, words]))
  }
  return { faultsOf, elsewhere }
}

const of = (line: object, part: string): unknown => (part === '' ? line : (line as Record<string, unknown>)[part])
