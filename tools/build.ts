import { glob, readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { readCatalogue } from '../src/kit/server/catalogue.ts'
import { compressConsole } from './bundle.ts'

const OUT = new URL('../dist/console/', import.meta.url)

const listOf = (name: string): readonly string[] => [
  'index.html',
  'src/kit/page/shell/frame/frame.tsx',
  `src/areas/${name}/page.tsx`,
  'node_modules/antd/es/locale/zh_CN.js',
  'texts:shell',
  `texts:${name}`,
]

/** What a person must load before the page stands: its way in, everything that imports, and one language. */
const FIRST_LOADS = {
  login: ['index.html', 'src/kit/page/shell/login/login-layout.tsx', 'texts:shell'],
  'dictionary list': listOf('system/dictionary'),
} as const
export type FirstLoad = keyof typeof FIRST_LOADS

type Chunk = { readonly file: string; readonly imports?: readonly string[] }
type Manifest = Readonly<Record<string, Chunk>>

/** Screens that show rows, as a person comes to them by their address. */
async function lists(): Promise<Record<string, readonly string[]>> {
  const { slices } = await readCatalogue()
  const names = slices.flatMap(({ resource }) => (resource ? [resource.screen.name] : []))
  return Object.fromEntries(names.map(name => [name, listOf(name)]))
}

/** The files of JavaScript each first load takes, with their gzipped bytes, from the build's manifest. */
export const firstFiles = () => filesOf(FIRST_LOADS)

async function filesOf<Name extends string>(
  loads: Readonly<Record<Name, readonly string[]>>,
): Promise<ReadonlyMap<Name, ReadonlyMap<string, number>>> {
  const manifest: Manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', OUT), 'utf8'))
  const sizes = Object.entries<readonly string[]>(loads).map(async ([name, starts]) => {
    const files = new Set<string>()
    for (const start of starts)
      if (start.startsWith(TEXTS)) files.add(await textsFile(start.slice(TEXTS.length)))
      else follow(manifest, keyOf(manifest, start), files)
    const weights = await Promise.all(
      [...files].map(async file => [file, gzipSync(await readFile(new URL(file, OUT))).length] as const),
    )
    return [name as Name, new Map(weights)] as const
  })
  return new Map(await Promise.all(sizes))
}

/** Gzipped bytes of JavaScript each first load takes. */
export async function firstLoads(): Promise<Record<FirstLoad, number>> {
  const sums = [...(await firstFiles())].map(([name, files]) => [name, bytesOf(files)])
  return Object.fromEntries(sums) as Record<FirstLoad, number>
}

/** The files of JavaScript until the rows of each list stand, with their gzipped bytes. */
export const listFiles = async () => filesOf(await lists())

export const bytesOf = (files: ReadonlyMap<string, number>): number =>
  [...files.values()].reduce((all, bytes) => all + bytes, 0)

const TEXTS = 'texts:'

async function textsFile(bundle: string): Promise<string> {
  for await (const file of glob(`assets/texts/zh-CN/${bundle}-????????.js`, { cwd: OUT })) return file
  throw new Error(`the build holds no texts for ${bundle}`)
}

function keyOf(manifest: Manifest, start: string): string {
  const key = Object.keys(manifest).find(name => name === start || name.endsWith(`:${start}`))
  if (key === undefined) throw new Error(`the build holds no ${start}`)
  return key
}

function follow(manifest: Manifest, key: string, files: Set<string>): void {
  const chunk = manifest[key]
  if (!chunk || files.has(chunk.file)) return
  files.add(chunk.file)
  for (const next of chunk.imports ?? []) follow(manifest, next, files)
}

if (import.meta.main) {
  // A test run that starts the build hands on its own, and would get React's development build.
  process.env.NODE_ENV = 'production'
  await build({ logLevel: 'warn' })
  await compressConsole()
  for (const [name, bytes] of Object.entries(await firstLoads()))
    console.log(`${name}: ${Math.round(bytes / 1_024)} KB gzipped`)
}
