import { areaOf, isDemo, roleOf, type SourceFile } from './source.ts'

/**
 * What SQL reaches is bound as what imports reach: a table is its writer's, and whoever else names it says so by `dependsOn`.
 * Engines and the kit depend on no area.
 */
export function tableReach(files: readonly SourceFile[], dependsOn: ReadonlyMap<string, readonly string[]>): string[] {
  const written = files.filter(
    // What the demo business stores, nobody else does so: it owns no table.
    ({ path }) => ownerOf(path) !== undefined && roleOf(path) !== 'test' && !isDemo(path),
  )
  const owners = readOwners(written)
  return written.flatMap(({ path, text }) => {
    const own = ownerOf(path) as string
    const foreign = new Set([...named(text)].flatMap(table => owners.get(table) ?? []).filter(owner => owner !== own))
    return [...foreign]
      .filter(owner => !owner.includes('/') && owner !== 'kit' && !mayReach(own, owner, dependsOn))
      .map(owner => `${path}: its SQL names a table of ${owner}, which ${own} does not depend on`)
  })
}

/** An area by its name, an engine by its folder, the kit as one. */
const ownerOf = (path: string): string | undefined =>
  areaOf(path) ?? /^src\/(engines\/[^/]+)\//.exec(path)?.[1] ?? (path.startsWith('src/kit/') ? 'kit' : undefined)

// An area without a screen yet has no area.ts to say it in.
const mayReach = (own: string, owner: string, dependsOn: ReadonlyMap<string, readonly string[]>): boolean =>
  !own.includes('/') && own !== 'kit' && (dependsOn.get(own)?.includes(owner) ?? true)

const NAMES =
  /(?:(?:selectFrom|innerJoin|leftJoin|insertInto|updateTable|deleteFrom)\(\s*\[?'|\b(?:from|join|into|update)\s+|\btable: ')([a-z]\w*)/g
/** What stands after another in one `from`. */
const LISTED = /\bfrom\s+\w+(?:\([^()]*\))?(?:\s+\w+)?\s*,\s*([a-z]\w*)/g
const INSERTS = /(?:insertInto\(\s*'|\binsert into )([a-z]\w*)/g
const DECLARES = /\btable: '([a-z]\w*)/g

const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(match => match[1] as string)
const named = (text: string): Set<string> => new Set([...found(text, NAMES), ...found(text, LISTED)])

/** Who makes a table's rows owns it, or whose model declares it; what the kit writes is everybody's to read. */
function readOwners(files: readonly SourceFile[]): Map<string, string> {
  const owners = new Map<string, string>()
  const own = (pattern: RegExp, { path, text }: SourceFile) => {
    for (const table of found(text, pattern))
      if (owners.get(table) !== 'kit') owners.set(table, ownerOf(path) as string)
  }
  for (const file of files) if (roleOf(file.path) === 'model') own(DECLARES, file)
  for (const file of files) own(INSERTS, file)
  return owners
}
