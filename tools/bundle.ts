import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { bytesOf, type FirstLoad, firstFiles, listFiles } from './build.ts'
import { type Chunks, chunksOf, MODULES, type Modules, tellGrowth } from './bundle-parts.ts'

const CONSOLE = new URL('../dist/console/', import.meta.url)
/** Gzipped JavaScript until the page stands (docs/performance.md). */
const LIMITS: Readonly<Record<FirstLoad, number>> = { login: 120_000, 'dictionary list': 400_000 }
/** What the first loads were made of when somebody last looked: kept by `node tools/bundle.ts --keep`, bound by nothing. */
const KEPT = new URL('bundle-parts.json', import.meta.url)
/** Below this a copy saves less than its headers cost. */
const WORTH_COMPRESSING = 1_024
/** The best gain for the time of a build: the last two levels take five times as long for two per cent. */
const BROTLI_LEVEL = 9
/** What only server code says. The compiler and the build both refuse it; this looks at what came out. */
const SERVER_WORDS = /node:(crypto|fs|http)\b|password_hash|pg_advisory|\bkysely\b|insert into \w+ \(/

/** Writes a brotli and a gzip copy beside each file, for the server to send instead (kit/server/start/static.ts). */
export async function compressConsole(): Promise<void> {
  for (const file of await filesOf(/\.(js|css|svg|html)$/)) {
    const content = await readFile(file)
    if (content.length < WORTH_COMPRESSING) continue
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    }
    const [br, gz] = await Promise.all([promisify(brotliCompress)(content, { params }), promisify(gzip)(content)])
    await Promise.all([writeFile(`${fileURLToPath(file)}.br`, br), writeFile(`${fileURLToPath(file)}.gz`, gz)])
  }
}

async function filesOf(names: RegExp): Promise<URL[]> {
  const entries = await readdir(CONSOLE, { recursive: true, encoding: 'utf8' })
  return entries
    .filter(name => names.test(name) && !name.startsWith('.'))
    .map(name => new URL(name.replaceAll('\\', '/'), CONSOLE))
}

type Loads = Readonly<Record<FirstLoad, Chunks>>

const readModules = async (): Promise<Modules> => JSON.parse(await readFile(new URL(MODULES, CONSOLE), 'utf8'))
const readKept = async (): Promise<Loads> => JSON.parse(await readFile(KEPT, 'utf8'))

async function chunksNow(): Promise<Loads> {
  const modules = await readModules()
  const loads = [...(await firstFiles())].map(([name, files]) => [name, chunksOf(files, modules)])
  return Object.fromEntries(loads) as Loads
}

async function faults(): Promise<string[]> {
  const [modules, kept] = await Promise.all([readModules(), readKept()])
  const found: string[] = []
  for (const [name, files] of await firstFiles()) {
    const bytes = bytesOf(files)
    console.log(`${name}: ${bytes} of ${LIMITS[name]} bytes gzipped`)
    if (bytes > LIMITS[name])
      found.push(
        `${name}: ${bytes} bytes gzipped, at most ${LIMITS[name]}`,
        ...tellGrowth(chunksOf(files, modules), kept[name]),
      )
  }
  const lists = [...(await listFiles())].sort(([, a], [, b]) => bytesOf(b) - bytesOf(a))
  for (const [name, files] of lists.slice(0, 1))
    console.log(`heaviest of ${lists.length} lists: ${name}, ${bytesOf(files)} bytes gzipped`)
  const tooHeavy = lists.filter(([, files]) => bytesOf(files) > LIMITS['dictionary list'])
  for (const [nth, [name, files]] of tooHeavy.entries()) {
    found.push(`${name}: ${bytesOf(files)} bytes gzipped, at most ${LIMITS['dictionary list']} as for any list`)
    // Sizes are kept of one list: what the heaviest has besides is told against it.
    if (nth === 0) found.push(...tellGrowth(chunksOf(files, modules), kept['dictionary list']))
  }
  for (const file of await filesOf(/\.js$/)) {
    const word = SERVER_WORDS.exec(await readFile(file, 'utf8'))
    if (word) found.push(`${file.pathname.split('/').at(-1)} holds server code: ${word[0]}`)
  }
  return found
}

if (import.meta.main && process.argv.includes('--keep')) {
  await writeFile(KEPT, `${JSON.stringify(await chunksNow(), null, 2)}\n`)
} else if (import.meta.main) {
  const found = await faults()
  for (const fault of found) console.error(fault)
  process.exitCode = found.length === 0 ? 0 : 1
}
