/** What the bytes of a first load are made of, so that one past its limit can name what grew. */

/** Gzipped bytes by part: a package, a component of antd, a room of the kit, a slice, the texts of an area. */
export type Parts = Readonly<Record<string, number>>
/** By file of the build as it is called without its digest: `frame`, `texts/zh-CN/shell`. */
export type Chunks = Readonly<Record<string, Parts>>
/** By file of the build, its modules with their lengths before they were shortened. */
export type Modules = Readonly<Record<string, Readonly<Record<string, number>>>>

/** Where the build keeps them, beside its manifest. */
export const MODULES = '.vite/modules.json'

const ROOM = /^src\/(?:kit\/page\/shell\/[^/]+|kit\/[^/]+\/[^/]+|areas\/[^/]+\/[^/]+|[^/]+\/[^/]+|[^/]+)/
const PACKAGE = /^(?:@[^/]+\/)?[^/]+/

export function partOf(module: string): string {
  const inPackage = module.split('node_modules/').at(-1) as string
  if (inPackage === module) return ROOM.exec(module)?.[0] ?? module
  return /^antd\/es\/([^/]+)/.exec(inPackage)?.[0] ?? PACKAGE.exec(inPackage)?.[0] ?? inPackage
}

export const chunkOf = (file: string): string => file.replace(/^assets\//, '').replace(/-[\w-]{8}\.js$/, '')

/** The bytes of each file, shared among its modules in proportion: shortened and compressed they cannot be told apart. */
export function chunksOf(files: ReadonlyMap<string, number>, modules: Modules): Chunks {
  const chunks = new Map<string, Record<string, number>>()
  for (const [file, bytes] of files) {
    // Chunks without a name of their own may be called alike.
    const parts = chunks.get(chunkOf(file)) ?? {}
    chunks.set(chunkOf(file), parts)
    // Texts are written past the bundler, and have no modules.
    const lengths = Object.entries(modules[file] ?? { [chunkOf(file)]: 1 })
    const whole = lengths.reduce((sum, [, length]) => sum + length, 0)
    for (const [module, length] of lengths) add(parts, partOf(module), whole === 0 ? 0 : (bytes * length) / whole)
  }
  return sorted([...chunks].map(([chunk, parts]) => [chunk, sorted(round(parts))]))
}

const add = (parts: Record<string, number>, part: string, bytes: number): void => {
  parts[part] = (parts[part] ?? 0) + bytes
}
const round = (parts: Parts): [string, number][] =>
  Object.entries(parts).map(([part, bytes]) => [part, Math.round(bytes)])
const sorted = <T>(entries: [string, T][]): Record<string, T> =>
  Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))

const CHUNKS_SHOWN = 5
const PARTS_SHOWN = 6

/** Which files grew most since the sizes that were kept, and what in each of them; then what weighs most of all. A line each. */
export function tellGrowth(now: Chunks, kept: Chunks): string[] {
  const chunks = grown(sums(now), sums(kept)).slice(0, CHUNKS_SHOWN)
  const all: Record<string, number> = {}
  for (const parts of Object.values(now)) for (const [part, bytes] of Object.entries(parts)) add(all, part, bytes)
  const heavy = Object.entries(all).sort((a, b) => b[1] - a[1])
  return [
    ...chunks.flatMap(chunk => [
      `  ${told(chunk)}`,
      ...grown(now[chunk.name] ?? {}, kept[chunk.name] ?? {})
        .slice(0, PARTS_SHOWN)
        .map(part => `    ${told(part)}`),
    ]),
    ...heavy.slice(0, PARTS_SHOWN).map(([part, bytes]) => `  weighs ${bytes}: ${part}`),
  ]
}

type Grown = { readonly name: string; readonly bytes: number; readonly more: number; readonly isNew: boolean }

const grown = (now: Parts, kept: Parts): Grown[] =>
  Object.entries(now)
    .map(([name, bytes]) => ({ name, bytes, more: bytes - (kept[name] ?? 0), isNew: !(name in kept) }))
    .filter(({ more }) => more > 0)
    .sort((a, b) => b.more - a.more)

const sums = (chunks: Chunks): Parts =>
  Object.fromEntries(
    Object.entries(chunks).map(([chunk, parts]) => [
      chunk,
      Object.values(parts).reduce((all, bytes) => all + bytes, 0),
    ]),
  )

const told = ({ name, bytes, more, isNew }: Grown): string =>
  `grew by ${more} to ${bytes}: ${name}${isNew ? ' (new)' : ''}`
