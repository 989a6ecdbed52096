import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The source files as the fences read them: by path and text, without a compiler. */

export type SourceFile = { readonly path: string; readonly text: string }
export type Role = 'model' | 'server' | 'page' | 'test'

export function roleOf(path: string): Role | undefined {
  if (/\.test\.tsx?$/.test(path)) return 'test'
  if (!path.startsWith('src/') || path.endsWith('.d.ts')) return undefined
  if (/^src\/kit\/model\/|\/area\.ts$|\/locale\.ts$|[/.]model\.ts$/.test(path)) return 'model'
  if (/^src\/(console\.tsx$|kit\/page\/)|[/.]page\.tsx$/.test(path)) return 'page'
  if (/^src\/(server\.ts$|kit\/server\/|engines\/|demo\/)|[/.]server\.ts$/.test(path)) return 'server'
  return undefined
}

/** Inside one room files name each other by `./` and `../`; from room to room by `#`. */
export const roomOf = (path: string): string =>
  /^src\/areas\/[^/]+\/[^/]+(?=\/)|^src\/areas\/[^/]+|^src\/engines\/[^/]+|^src\/kit\/(?:model|server|page)|^src\/[^/.]+(?=\/)/.exec(
    path,
  )?.[0] ?? 'src'

export type Import = { readonly source: string; readonly target: string | undefined }

export function importsOf({ path, text }: SourceFile): Import[] {
  const found = text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)'([^'\n]+)'/g)
  return [...found].map(match => {
    const source = match[1] as string
    if (source.startsWith('.')) return { source, target: posix.join(posix.dirname(path), source) }
    return { source, target: /^#(kit|areas|engines|demo)\//.test(source) ? `src/${source.slice(1)}` : undefined }
  })
}

/** What comes along with a file, by path: neither types, which nothing is left of, nor what is loaded later. */
export function staticImportsOf(file: SourceFile): string[] {
  const text = file.text.replace(/\bimport\s+type\b[^']*'[^']+'|\bimport\s*\(\s*'[^']+'/g, '')
  return importsOf({ ...file, text }).flatMap(({ target }) => target ?? [])
}

/** What the demo business is made of: what it stands on, and what each slice adds to it. */
export const isDemo = (path: string): boolean => /^src\/demo\/|^src\/.*\/demo(-[a-z-]+)?\.server\.ts$/.test(path)

export const areaOf = (path: string): string | undefined => /^src\/areas\/([^/]+)\//.exec(path)?.[1]

/** Comments become blanks, so that a rule may be spoken of without being broken; lines keep their numbers. */
export const withoutComments = (text: string): string =>
  text.replace(
    /('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*/g,
    (whole, string) => (string === undefined ? whole.replace(/[^\n]/g, ' ') : whole),
  )

const ROOT = fileURLToPath(new URL('..', import.meta.url))

export function readSources(root: string = ROOT): SourceFile[] {
  return ['src', 'tools', 'e2e', 'bench'].flatMap(folder => {
    const entries = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort()
    return entries
      .filter(entry => /\.(ts|tsx|mjs)$/.test(entry))
      .map(entry => ({
        path: `${folder}/${entry.split(sep).join('/')}`,
        text: readFileSync(join(root, folder, entry), 'utf8'),
      }))
  })
}
