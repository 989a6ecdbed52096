import { type SourceFile, staticImportsOf } from './source.ts'

/**
 * Which texts a screen shows at once: its own, and those of every slice and engine whose code its page brings along. What
 * the page loads later brings its own texts later (kit/page/language.ts).
 */
export function textsInReach(
  sources: readonly SourceFile[],
  namespaces: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const known = new Set(namespaces)
  const files = new Map(sources.map(file => [file.path, file]))
  const bundles = new Set(namespaces.flatMap(name => OWNED.exec(name)?.[0] ?? []))
  return new Map(
    [...bundles].sort().map(bundle => {
      const names = new Set(namespaces.filter(name => name === bundle || name.startsWith(`${bundle}/`)))
      for (const path of reachedFrom(`src/areas/${bundle}/page.tsx`, files))
        for (const name of namesIn(files.get(path) as SourceFile)) if (known.has(name)) names.add(name)
      return [bundle, [...names].sort()]
    }),
  )
}

/** A slice, or an engine; not the kit, whose texts come with the frame or its late parts. */
const OWNED = /^(?!kit\/)[^/]+\/[^/]+/

function reachedFrom(start: string, files: ReadonlyMap<string, SourceFile>): ReadonlySet<string> {
  const reached = new Set<string>()
  const waiting = [start]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = files.get(path)
    if (!file || reached.has(path) || !/^src\/(areas|engines)\//.test(path)) continue
    reached.add(path)
    for (const target of staticImportsOf(file)) waiting.push(target)
  }
  return reached
}

/** The folders a file stands in, and what it calls by name: `useTexts('orders/order')`. */
function namesIn({ path, text }: SourceFile): string[] {
  const folders = path
    .replace(/^src\/(areas\/)?/, '')
    .split('/')
    .slice(0, -1)
  const above = folders.map((_, at) => folders.slice(0, at + 1).join('/'))
  const called = [...text.matchAll(/\b(?:useTexts(?:<[^>]*>)?|say|hasText)\(\s*'([^']+)'/g)]
  return [...above, ...called.map(([, name]) => name as string)]
}
