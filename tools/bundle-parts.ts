/** What the bytes of a first load are made of, so that one past its limit can name what grew. */

/** Gzipped bytes by part: a package, a component of antd, a room of the kit, a slice, the texts of an area. */
export type Parts = Readonly<Record<string, number>>
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

/** The bytes of each file, shared among its modules in proportion: shortened and compressed they cannot be told apart. */
export function partsOf(files: ReadonlyMap<string, number>, modules: Modules): Parts {
  const parts: Record<string, number> = {}
  for (const [file, bytes] of files) {
    const lengths = Object.entries(modules[file] ?? { [file]: 1 })
    const whole = lengths.reduce((sum, [, length]) => sum + length, 0)
    for (const [module, length] of lengths) {
      const part = partOf(module)
      parts[part] = (parts[part] ?? 0) + (whole === 0 ? 0 : (bytes * length) / whole)
    }
  }
  const sorted = Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([part, bytes]) => [part, Math.round(bytes)]))
}

const SHOWN = 8

/** What grew most since the sizes that were kept, and what weighs most, in a line each. */
export function tellParts(now: Parts, kept: Parts): string[] {
  const grew = Object.entries(now)
    .map(([part, bytes]) => ({ part, bytes, more: bytes - (kept[part] ?? 0) }))
    .filter(({ more }) => more > 0)
    .sort((a, b) => b.more - a.more)
    .slice(0, SHOWN)
  const heavy = Object.entries(now)
    .sort((a, b) => b[1] - a[1])
    .slice(0, SHOWN)
  return [
    ...grew.map(({ part, bytes, more }) => `  grew by ${more} to ${bytes}: ${part}${part in kept ? '' : ' (new)'}`),
    ...heavy.map(([part, bytes]) => `  weighs ${bytes}: ${part}`),
  ]
}
