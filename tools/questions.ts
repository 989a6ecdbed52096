import { roleOf, type SourceFile } from './source.ts'

/** Questions nobody answers, or more than one slice does: at run time the first would fail the call that asks, the second stay unseen. */
export function questions(files: readonly SourceFile[]): string[] {
  const sources = files.filter(({ path }) => roleOf(path) === 'server')
  const answered = Map.groupBy(
    sources.flatMap(({ text }) => [...text.matchAll(/\banswer\(\s*(\w+)/g)].map(match => match[1] as string)),
    name => name,
  )
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\bconst (\w+) = defineQuestion\b/g)].flatMap(([, name = '']) => {
      const times = answered.get(name)?.length ?? 0
      return times === 1
        ? []
        : [`${path}: ${times === 0 ? 'no slice answers' : `${times} answers are given to`} ${name}`]
    }),
  )
}
