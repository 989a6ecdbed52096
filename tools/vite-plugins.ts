import { pinyin } from 'pinyin-pro'
import type { Plugin } from 'vite'
import { LANGUAGES, type Language } from '../src/kit/model/language.ts'
import { readCatalogue } from '../src/kit/server/catalogue.ts'
import { type Bundles, readTexts } from '../src/kit/server/texts.ts'

/** Vite does not check roles: without this, a page that imports a server file puts its SQL into the browser's bundle. */
export function refuseServerCode(): Plugin {
  return {
    name: 'refuse-server-code',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (importer === undefined || source.startsWith('\0')) return null
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
      if (resolved && /\/src\/(.*[/.])?server\.ts$|\/src\/kit\/server\//.test(resolved.id)) {
        this.error(`${importer} imports ${resolved.id}: server code does not go to the browser`)
      }
      return null
    },
  }
}

/**
 * antd's table brings a tree and a menu for filter drop-downs in its heads, 14 KB gzipped. Our lists filter above the
 * table: no column declares any (seen in antd 6.6), so the part is replaced by nothing.
 */
export function withoutTableFilters(): Plugin {
  const stub = '\0no-table-filters'
  return {
    name: 'without-table-filters',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === './FilterDropdown' && importer !== undefined && /antd\/es\/table\/hooks\/useFilter\//.test(importer)
        ? stub
        : null,
    load: id => (id === stub ? 'export const flattenKeys = () => []\nexport default () => null\n' : null),
  }
}

const PREFIX = 'virtual:texts'
/** Parts of the kit that come when somebody reaches for them: their texts are bundles of their own and come along. */
const LATER: readonly string[] = ['kit/page/import', 'kit/page/statistic', 'kit/page/views']

/**
 * Texts by language and area, each a chunk of its own: `shell` for the frame and the menu's titles, one per area for its
 * screens. The files are written once with all languages; the browser loads one language of what it shows.
 */
export function textBundles(): Plugin {
  let texts: Promise<Bundles> | undefined
  const read = () => (texts ??= readTexts())
  return {
    name: 'text-bundles',
    resolveId: source => (source.startsWith(PREFIX) ? `\0${source}` : null),
    async load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null
      const [, language, bundle] = id.slice(1).split('|')
      const bundles = await read()
      if (language === undefined) return loaders(bundles)
      return `export const texts = ${JSON.stringify(await contents(bundles, language as Language, bundle as string))}`
    },
    handleHotUpdate({ file, server }) {
      if (!file.endsWith('locale.ts')) return
      texts = undefined
      for (const module of server.moduleGraph.idToModuleMap.values()) {
        if (module.id?.startsWith(`\0${PREFIX}`)) server.moduleGraph.invalidateModule(module)
      }
    },
  }
}

function loaders(bundles: Bundles): string {
  const areas = new Set(
    Object.keys(bundles['zh-CN'])
      .filter(name => !/^(kit|engines)(\/|$)/.test(name))
      .map(name => name.split('/')[0] as string),
  )
  const lines = LANGUAGES.flatMap(language =>
    ['shell', ...LATER, ...areas].map(
      name => `  '${language}|${name}': () => import('${PREFIX}|${language}|${name}'),`,
    ),
  )
  return `export const loaders = {\n${lines.join('\n')}\n}\n`
}

async function contents(
  bundles: Bundles,
  language: Language,
  bundle: string,
): Promise<Record<string, Record<string, string>>> {
  const all = bundles[language]
  if (LATER.includes(bundle)) return { [bundle]: all[bundle] ?? {} }
  if (bundle !== 'shell')
    return Object.fromEntries(
      // Engines have no screen of their own: their few words come with every area.
      Object.entries(all).filter(([name]) => name === bundle || new RegExp(`^(${bundle}|engines)/`).test(name)),
    )
  const frame = Object.entries(all).filter(
    ([name]) => name === 'kit' || (name.startsWith('kit/page') && !LATER.includes(name)),
  )
  const { areas } = await readCatalogue()
  const titles = areas.flatMap(area => [area.name, ...Object.values(area.screens).map(screen => screen.name)])
  return {
    ...Object.fromEntries(frame),
    menu: Object.fromEntries(titles.map(name => [name, all[name]?.title ?? name])),
    menuPinyin: Object.fromEntries(titles.map(name => [name, searchNames(bundles, name)])),
  }
}

/** What a title is found by: its written forms, its pinyin and the initials of it. Made here, so that no dictionary ships. */
function searchNames(bundles: Bundles, name: string): string {
  const chinese = bundles['zh-CN'][name]?.title ?? name
  const spelt = (pattern: 'pinyin' | 'first') =>
    pinyin(chinese, { toneType: 'none', type: 'array', pattern, nonZh: 'consecutive' }).join('')
  const written = LANGUAGES.map(language => bundles[language][name]?.title ?? name)
  return [...new Set([...written, spelt('pinyin'), spelt('first')])].join('|')
}
