import { createHash } from 'node:crypto'
import { pinyin } from 'pinyin-pro'
import type { Plugin } from 'vite'
import { fill, LANGUAGES, type Language } from '../src/kit/model/language.ts'
import { type Catalogue, readCatalogue } from '../src/kit/server/catalogue.ts'
import { type Bundles, readTexts } from '../src/kit/server/text/texts.ts'
import { readSources } from './source.ts'
import { textsInReach } from './text-reach.ts'

/** All texts, and the namespaces of every bundle. */
type Sources = { readonly texts: Bundles; readonly wanted: ReadonlyMap<string, readonly string[]> }
type Namespaces = Readonly<Record<string, Readonly<Record<string, string>>>>

const PREFIX = 'virtual:texts'
const FOLDER = 'assets/texts/'
const PALETTE = 'kit/page/shell/palette'
/** Parts of the kit that come when somebody reaches for them: their texts are bundles of their own and come along. */
const LATER: readonly string[] = [
  'kit/page/bulk',
  'kit/page/field',
  'kit/page/form',
  'kit/page/gallery',
  'kit/page/import',
  'kit/page/one-time',
  PALETTE,
  'kit/page/side',
  'kit/page/statistic',
  'kit/page/views',
]

/**
 * Texts by language and screen: `shell` for the frame and the menu's titles, one for each slice with all that its page shows
 * at once, one for each engine and each late part. The files are written once with all languages; the browser loads one
 * language of what it shows. In the build each is a file whose name follows from what it is for, so that the way in need not
 * list some thousand of them (decision 049).
 */
export function textBundles(): Plugin {
  let sources: Promise<Sources> | undefined
  let isBuild = false
  const read = () => (sources ??= readTexts().then(texts => ({ texts, wanted: bundlesOf(texts) })))
  return {
    name: 'text-bundles',
    configResolved(config) {
      isBuild = config.command === 'build'
    },
    resolveId: source => (source.startsWith(PREFIX) ? `\0${source}` : null),
    async load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null
      const [, language, bundle] = id.slice(1).split('|')
      const found = await read()
      if (language !== undefined) return moduleOf(await contents(found, language as Language, bundle as string))
      return isBuild ? emitted(found, file => this.emitFile(file)) : listed(found)
    },
    handleHotUpdate({ file, server }) {
      if (!file.endsWith('locale.ts')) return
      sources = undefined
      for (const module of server.moduleGraph.idToModuleMap.values()) {
        if (module.id?.startsWith(`\0${PREFIX}`)) server.moduleGraph.invalidateModule(module)
      }
    },
  }
}

const moduleOf = (texts: Namespaces): string => `export const texts = ${JSON.stringify(texts)}`
const LATE_CODE = `export const late = ${JSON.stringify(LATER)}`

function bundlesOf(texts: Bundles): Sources['wanted'] {
  const names = Object.keys(texts['zh-CN'])
  const frame = names.filter(name => name === 'kit' || (name.startsWith('kit/page') && !LATER.includes(name)))
  const late = LATER.map((name): [string, readonly string[]] => [name, [name]])
  return new Map([['shell', frame], ...late, ...textsInReach(readSources(), names)])
}

/** While it is worked on, and in tests, each bundle is a module. */
function listed({ wanted }: Sources): string {
  const lines = LANGUAGES.flatMap(language =>
    [...wanted.keys()].map(name => `  '${language}|${name}': () => import('${PREFIX}|${language}|${name}'),`),
  )
  return `${LATE_CODE}\nconst loaders = {\n${lines.join('\n')}\n}
export const loaderOf = (language, bundle) => loaders[language + '|' + bundle]\n`
}

type Emit = (file: { type: 'asset'; fileName: string; source: string }) => void

/** One word of all texts in every name: what has that name never changes. */
async function emitted(sources: Sources, emit: Emit): Promise<string> {
  const files: [name: string, source: string][] = []
  for (const bundle of sources.wanted.keys())
    for (const language of LANGUAGES)
      files.push([`${language}/${bundle}`, moduleOf(await contents(sources, language, bundle))])
  const hash = createHash('sha256').update(JSON.stringify(files)).digest('base64url').slice(0, 8)
  for (const [name, source] of files) emit({ type: 'asset', fileName: `${FOLDER}${name}-${hash}.js`, source })
  return `${LATE_CODE}
const fileOf = (language, bundle) => '/${FOLDER}' + language + '/' + bundle + '-${hash}.js'
export const loaderOf = (language, bundle) => () => import(/* @vite-ignore */ fileOf(language, bundle))\n`
}

/** What the server alone says, as data of the pages that show it: jobs, settings, and what rules are made of. */
const SAID_BY_SERVER = /^(?:job|setting|rule-node|rule-event|rule-fact)\./

const shownOf = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([key]) => !SAID_BY_SERVER.test(key)))

async function contents({ texts, wanted }: Sources, language: Language, bundle: string): Promise<Namespaces> {
  const all = texts[language]
  const names = wanted.get(bundle) ?? []
  const own = Object.fromEntries(names.map(name => [name, shownOf(all[name] ?? {})]))
  if (bundle === PALETTE) return { ...own, ...(await searched(texts, language)) }
  if (bundle !== 'shell') return own
  const titles = titlesOf(await readCatalogue())
  return { ...own, menu: Object.fromEntries(titles.map(name => [name, all[name]?.title ?? name])) }
}

const titlesOf = ({ areas }: Pick<Catalogue, 'areas'>): string[] =>
  areas.flatMap(area => [area.name, ...Object.values(area.screens).map(screen => screen.name)])

const ADDING_IN_CHINESE = ['新增{record}', '添加{record}', '增加{record}']
/** What people call it besides what the palette shows. */
const ADDING: Readonly<Record<Language, readonly string[]>> = {
  'zh-CN': ADDING_IN_CHINESE,
  'zh-TW': ADDING_IN_CHINESE,
  'en-US': ['Create {record}', 'Add {record}'],
  'pt-BR': ['Novo {record}', 'Nova {record}', 'Adicionar {record}'],
}

/** What screens are found by, and what can be made on them: "new order", where a record may be added. */
async function searched(bundles: Bundles, language: Language): Promise<Record<string, Record<string, string>>> {
  const catalogue = await readCatalogue()
  const made = catalogue.slices.flatMap(({ resource }) =>
    resource?.actions.includes('create') ? resource.screen.name : [],
  )
  const titled = (name: string) => (spoken: Language) => bundles[spoken][name]?.title ?? name
  const recordOf = (name: string, spoken: Language) => ({ record: bundles[spoken][name]?.record ?? name })
  const created = (name: string) => (spoken: Language) =>
    fill(bundles[spoken][PALETTE]?.create ?? '', recordOf(name, spoken))
  const createNames = (name: string) => [
    searchNames(created(name)),
    ...LANGUAGES.flatMap(spoken => ADDING[spoken].map(words => fill(words, recordOf(name, spoken)))),
  ]
  return {
    menuNames: Object.fromEntries(titlesOf(catalogue).map(name => [name, searchNames(titled(name))])),
    create: Object.fromEntries(made.map(name => [name, created(name)(language)])),
    createNames: Object.fromEntries(made.map(name => [name, createNames(name).join('|')])),
  }
}

/** What a text is found by: its written forms, its pinyin and the initials of it. Made here, so that no dictionary ships. */
function searchNames(written: (language: Language) => string): string {
  const spelt = (pattern: 'pinyin' | 'first') =>
    pinyin(written('zh-CN'), { toneType: 'none', type: 'array', pattern, nonZh: 'consecutive' }).join('')
  return [...new Set([...LANGUAGES.map(written), spelt('pinyin'), spelt('first')])].join('|')
}
