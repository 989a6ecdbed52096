import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { questions } from './questions.ts'
import { fileCircles, roomOrder } from './room-order.ts'
import {
  areaOf,
  importsOf,
  isDemo,
  type Role,
  readSources,
  roleOf,
  roomOf,
  type SourceFile,
  withoutComments,
} from './source.ts'
import { tableReach } from './table-reach.ts'

/** Fences the compiler does not know. Each breach is one sentence that begins with its file. */

type Rule = (file: SourceFile, tree: Tree) => readonly string[]

const PACKAGES: Readonly<Record<Exclude<Role, 'test'>, readonly string[]>> = {
  model: ['zod'],
  page: [
    'react',
    'react-dom',
    'antd',
    '@ant-design/icons',
    'react-router',
    '@tanstack/react-query',
    'zustand',
    'dayjs',
    'zod',
    'virtual:texts',
  ],
  server: [
    'fastify',
    '@fastify/multipart',
    '@fastify/static',
    '@node-rs/argon2',
    'helmet',
    'fontkit',
    'hucre',
    'kysely',
    'nodemailer',
    'opencc-js',
    'pg',
    'pg-boss',
    'pdfkit',
    'pg-cursor',
    'pino',
    'pinyin-pro',
    'qrcode-generator',
    'quickjs-emscripten-core',
    '@jitl/quickjs-wasmfile-release-sync',
    'sharp',
    'ws',
    'zod',
  ],
}
/** Who may be imported by whom: a page never sees server code, a model runs anywhere. */
const REACH: Readonly<Record<Exclude<Role, 'test'>, readonly Role[]>> = {
  model: ['model'],
  page: ['model', 'page'],
  server: ['model', 'server'],
}
const FORBIDDEN_FOLDERS = new Set(['utils', 'util', 'common', 'misc', 'helpers', 'helper', 'lib', 'shared'])
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.(model|server|page|test|long|gen|d|config))*\.(ts|tsx|mjs)$/
/** Lines at which a file is refused (the guide of docs/architecture.md); the first pattern that fits counts. */
const MAX_LINES: readonly (readonly [RegExp, number])[] = [
  [/\.gen\.ts$|locale\.ts$|tools\/spec-routes\.ts$/, Number.POSITIVE_INFINITY],
  [/\.test\.tsx?$/, 500],
  [/(^|[/.])model\.ts$/, 250],
  [/^src\/kit\//, 500],
  [/./, 400],
]
const MAX_FUNCTION_LINES = 80

/** Everything that crosses a fence, in the order of the files. */
export function findBreaches(files: readonly SourceFile[]): string[] {
  const bare = files.map(({ path, text }) => ({ path, text: withoutComments(text) }))
  const tree = readTree(bare)
  const each = bare.flatMap((file, index) => {
    const whole = files[index] as SourceFile
    return [...RULES.flatMap(rule => rule(file, tree)), ...sizes(whole)].map(text => `${file.path}: ${text}`)
  })
  return [
    ...each,
    ...screensWithoutFolder(tree),
    ...cycles(tree, bare),
    ...tableReach(bare, tree.dependsOn),
    ...questions(bare),
    ...roomOrder(bare),
    ...fileCircles(bare),
  ]
}

type Tree = {
  readonly paths: ReadonlySet<string>
  /** Area → the areas it says it depends on. */
  readonly dependsOn: ReadonlyMap<string, readonly string[]>
  /** Area → its screens' folders. */
  readonly screens: ReadonlyMap<string, readonly string[]>
  /** Codes of the dictionaries that slices and areas declare. */
  readonly dictionaries: ReadonlySet<string>
}

function readTree(files: readonly SourceFile[]): Tree {
  const areas = files.flatMap(({ path, text }) => {
    const area = /^src\/areas\/([^/]+)\/area\.ts$/.exec(path)?.[1]
    return area ? [{ area, text }] : []
  })
  return {
    paths: new Set(files.map(({ path }) => path)),
    dependsOn: new Map(
      areas.map(({ area, text }) => [area, quoted(/dependsOn:\s*\[([^\]]*)\]/.exec(text)?.[1] ?? '')]),
    ),
    screens: new Map(areas.map(({ area, text }) => [area, screenFolders(text)])),
    dictionaries: new Set(
      files
        .filter(({ path }) => /^src\/areas\/.+\/dictionaries\.server\.ts$/.test(path))
        .flatMap(({ text }) => [...text.matchAll(/^ {2}([A-Z][A-Z0-9_]*): \{$/gm)].map(match => match[1] as string)),
    ),
  }
}

const quoted = (list: string): string[] => [...list.matchAll(/'([^']+)'/g)].map(match => match[1] as string)

function screenFolders(text: string): string[] {
  const block = /screens:\s*\{([\s\S]*)\}/.exec(text)?.[1] ?? ''
  return [...block.matchAll(/(?:^|[{,])\s*'?([a-z0-9-]+)'?:\s*\{\s*route:/g)].map(match => match[1] as string)
}

const packageOf = (source: string): string =>
  source
    .split('/')
    .slice(0, source.startsWith('@') ? 2 : 1)
    .join('/')

const packages: Rule = file => {
  const role = roleOf(file.path)
  if (!role || role === 'test') return []
  return importsOf(file)
    .filter(({ source, target }) => target === undefined && !(role === 'server' && source.startsWith('node:')))
    .filter(({ source }) => !PACKAGES[role].includes(packageOf(source)))
    .map(({ source }) => `a ${role} file may not import ${source}`)
}

const roles: Rule = file => {
  const role = roleOf(file.path)
  if (!role || role === 'test') return []
  return importsOf(file).flatMap(({ source, target }) => {
    const other = target && roleOf(target)
    return other && !REACH[role].includes(other)
      ? [`a ${role} file may not import ${source}, which is ${other} code`]
      : []
  })
}

const rooms: Rule = file => {
  if (!file.path.startsWith('src/') || roleOf(file.path) === 'test') return []
  return importsOf(file).flatMap(({ source, target }) => {
    if (!source.startsWith('.') || !target) return []
    const stays = roomOf(target) === roomOf(file.path) || `${roomOf(target)}/`.startsWith(`${roomOf(file.path)}/`)
    // What the slices of an area share stands beside its area.ts.
    const isOwnArea = roomOf(target) === posix.dirname(roomOf(file.path))
    return stays || isOwnArea || roomOf(file.path) === 'src'
      ? []
      : [`reaches out of its folder with ${source}; use # across folders`]
  })
}

/** kit knows no area, engines know only kit, and the demo business is known to the entry alone. */
const layers: Rule = file => {
  if (!file.path.startsWith('src/') || roleOf(file.path) === 'test') return []
  return importsOf(file).flatMap(({ source, target }) => {
    if (!target) return []
    if (file.path.startsWith('src/kit/') && /^src\/(areas|engines)\//.test(target))
      return [`kit may not import ${source}`]
    if (file.path.startsWith('src/engines/') && target.startsWith('src/areas/'))
      return [`an engine may not import ${source}`]
    if (file.path.startsWith('src/demo/') && /^src\/areas\//.test(target))
      return [`may not import ${source}: what the demo business stands on knows no area`]
    if (isDemo(target) && !isDemo(file.path) && file.path !== 'src/server.ts')
      return [`may not import ${source}: what the demo business is made of is for demo files alone`]
    return []
  })
}

/** An area reaches another one only if it says so, and only through the other's declarations and server functions. */
const areas: Rule = (file, tree) => {
  const own = areaOf(file.path)
  if (!own || roleOf(file.path) === 'test') return []
  return importsOf(file).flatMap(({ source, target }) => {
    const other = areaOf(target ?? '')
    if (!target || !other || roomOf(target) === roomOf(file.path)) return []
    if (other === own && posix.dirname(target) === `src/areas/${own}`) return []
    // A folder of the area that has no screen is there for those that have one.
    const isForAll = other === own && !(tree.screens.get(own) ?? []).includes(posix.basename(roomOf(target)))
    const closed =
      isForAll || /(^|[/.])(model|server|area)\.ts$/.test(target)
        ? []
        : [`may not import ${source}: of another slice only area.ts, model.ts and server.ts`]
    // An area without a screen yet has no area.ts to say it in; that it makes no circle is asked below.
    const declared = other === own || (tree.dependsOn.get(own)?.includes(other) ?? true)
    return [...closed, ...(declared ? [] : [`imports ${source}, but ${own}/area.ts does not say dependsOn '${other}'`])]
  })
}

const names: Rule = ({ path }) => {
  const parts = path.split('/')
  const file = parts.at(-1) as string
  return [
    ...(KEBAB.test(file) ? [] : ['the name is not kebab-case']),
    ...parts
      .slice(0, -1)
      .filter(part => FORBIDDEN_FOLDERS.has(part))
      .map(part => `a folder named ${part} says nothing about what is in it`),
  ]
}

type Pattern = { readonly where: RegExp; readonly not?: RegExp; readonly find: RegExp; readonly say: string }
const PATTERNS: readonly Pattern[] = [
  {
    where: /^src\//,
    not: /^src\/(kit\/server\/process\/env|server)\.ts$/,
    find: /\bprocess\.env\b/,
    say: 'settings are read in kit/server/process/env.ts alone',
  },
  {
    where: /^src\/(areas|engines)\/.*\.ts$/,
    find: /\bnew Date\(\)|\bDate\.now\(\)/,
    say: 'a rule takes the time from call.now or the clock',
  },
  {
    where: /^(src|tools)\//,
    find: /['"](?:node:)?vm['"]/,
    say: 'node:vm is no boundary: what people write runs in engines/rule/sandbox.server.ts',
  },
  {
    where: /^src\//,
    not: /^src\/kit\/model\/money\.ts$/,
    find: /\.toFixed\(|\bparseFloat\(/,
    say: 'money is whole fen: no toFixed, no parseFloat',
  },
  {
    where: /^src\/areas\//,
    find: /\bas never\b/,
    say: 'a type that does not fit is mended in the kit, not silenced',
  },
  {
    where: /^src\/areas\//,
    find: /\bIntl\.|\.toLocale(Date|Time)?String\(/,
    say: 'dates and numbers are formatted by the kit',
  },
  {
    where: /^src\/.*\.tsx?$/,
    find: /\buse(Layout|Insertion)?Effect\((?!\s*function\s+\w)/,
    say: 'an effect has a name: useEffect(function focusFirstField() …',
  },
  {
    where: /^src\//,
    find: /import\s*(type\s*)?\{[^}]*\}\s*from\s*'zod'/,
    say: "zod is imported as `import * as z from 'zod'`, which costs a quarter in the browser",
  },
]

const patterns: Rule = ({ path, text }) => {
  if (roleOf(path) === 'test') return []
  return PATTERNS.filter(({ where, not, find }) => where.test(path) && !not?.test(path) && find.test(text)).map(
    ({ say }) => say,
  )
}

const screens: Rule = ({ path }, tree) => {
  const [, area, folder] = /^src\/areas\/([^/]+)\/([^/]+)\/page\.tsx$/.exec(path) ?? []
  if (!area || !folder || (tree.screens.get(area) ?? []).includes(folder)) return []
  return [`is a page, but ${area}/area.ts has no screen ${folder}`]
}

/** A field whose dictionary nobody declares could never be filled in. */
const dictionaries: Rule = ({ path, text }, tree) => {
  if (!path.startsWith('src/') || roleOf(path) === 'test') return []
  return [...text.matchAll(/(?<![.\w])(?:dictionary|tags)\('([^'\n]*)'\)/g)]
    .map(match => match[1] as string)
    .filter(code => !tree.dictionaries.has(code))
    .map(code => `names the dictionary ${code}, which no dictionaries.server.ts declares`)
}

/** Whoever looks at the demo business sees what each list is for. */
const demos: Rule = ({ path, text }, tree) => {
  const slice = /^(src\/areas\/[^/]+\/[^/]+)\/model\.ts$/.exec(path)?.[1]
  if (!slice || !/^export const resource\b/m.test(text) || tree.paths.has(`${slice}/demo.server.ts`)) return []
  return ['declares a list, but no demo.server.ts beside it tells what stands in it']
}

const RULES: readonly Rule[] = [packages, roles, rooms, layers, areas, names, patterns, screens, dictionaries, demos]

function sizes({ path, text }: SourceFile): string[] {
  const lines = text.split('\n')
  const limit = MAX_LINES.find(([pattern]) => pattern.test(path))?.[1] ?? Number.POSITIVE_INFINITY
  const long =
    lines.length - 1 > limit ? [`has ${lines.length - 1} lines, at most ${limit}: split it by what its parts do`] : []
  return roleOf(path) === 'test' ? long : [...long, ...longFunctions(lines)]
}

const OPENS_FUNCTION =
  /\bfunction\b.*[{(]$|=>\s*\{$|^\s*(?:(?:async|override|private|static|get|set) )*(?!(?:if|for|while|switch|catch|return)\b)[\w$#]+(?:<.*>)?\(.*\)(?:: [^=]*)?\s*\{$/

/** A function ends where its indentation returns. Functions inside it count for themselves: a factory is not one long deed. */
function longFunctions(lines: readonly string[]): string[] {
  const open: { line: string; indent: number; begin: number; inner: number }[] = []
  return lines.flatMap((line, index) => {
    const indent = line.search(/\S/)
    const found: string[] = []
    const last = open.at(-1)
    if (last && indent === last.indent && index > last.begin && /^\s*[})\]]/.test(line) && !/[{([]$/.test(line)) {
      open.pop()
      const span = index - last.begin + 1
      const outer = open.at(-1)
      if (outer) outer.inner += span
      const name = /[\w$#]+/.exec(last.line)?.[0]
      if (span - last.inner > MAX_FUNCTION_LINES)
        found.push(`${name} has ${span - last.inner} lines of its own, at most ${MAX_FUNCTION_LINES}`)
    } else if (OPENS_FUNCTION.test(line))
      open.push({
        line: line
          .trim()
          .replace(/^export (default )?/, '')
          .replace(/^(async )?(function\*?|const) /, ''),
        indent,
        begin: index,
        inner: 0,
      })
    return found
  })
}

function screensWithoutFolder(tree: Tree): string[] {
  return [...tree.screens].flatMap(([area, folders]) =>
    folders
      .filter(folder => !tree.paths.has(`src/areas/${area}/${folder}/page.tsx`))
      .map(folder => `src/areas/${area}/area.ts: the screen ${folder} has no ${folder}/page.tsx`),
  )
}

function cycles({ dependsOn }: Tree, files: readonly SourceFile[]): string[] {
  const edges = new Map([...dependsOn].map(([area, others]) => [area, new Set(others)]))
  for (const file of files.filter(({ path }) => roleOf(path) !== 'test')) {
    const own = areaOf(file.path)
    const others = own ? importsOf(file).flatMap(({ target }) => areaOf(target ?? '') ?? []) : []
    for (const other of others) if (own && other !== own) edges.set(own, (edges.get(own) ?? new Set()).add(other))
  }
  const reaches = (from: string, to: string, seen: Set<string>): boolean =>
    [...(edges.get(from) ?? [])].some(next => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))))
  return [...edges.keys()]
    .filter(area => reaches(area, area, new Set()))
    .map(area => `src/areas/${area}: depends on itself in a circle`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const breaches = findBreaches(readSources())
  for (const breach of breaches) console.error(breach)
  process.exitCode = breaches.length === 0 ? 0 : 1
}
