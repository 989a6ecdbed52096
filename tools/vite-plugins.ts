import { pinyin } from 'pinyin-pro'
import type { Plugin } from 'vite'
import { fill, LANGUAGES, type Language } from '../src/kit/model/language.ts'
import { type Catalogue, readCatalogue } from '../src/kit/server/catalogue.ts'
import { type Bundles, readTexts } from '../src/kit/server/text/texts.ts'
import { MODULES, type Modules } from './bundle-parts.ts'

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
 * What antd's parts for a plain list take from others they otherwise have no use for, seen in antd 6.6: from which file, what
 * that file asks for, and the little it needs of it. Asked for by the name of its package, all of a form, a tree and a choice of
 * colours would come with every list: 18 KB gzipped.
 */
const LITTLE: readonly { readonly by: RegExp; readonly asked: string; readonly needed: string }[] = [
  // A tree and a menu for filters in the heads of a table. Our lists filter above it: no column declares any.
  {
    by: /antd\/es\/table\/hooks\/useFilter\//,
    asked: './FilterDropdown',
    needed: 'export const flattenKeys = () => []\nexport default () => null',
  },
  {
    by: /antd\/es\/table\/hooks\/useSelection\.js/,
    asked: '@rc-component/tree',
    needed: `export { arrAdd, arrDel } from '@rc-component/tree/es/util'
      export { conductCheck } from '@rc-component/tree/es/utils/conductUtil'
      export { convertDataToEntities } from '@rc-component/tree/es/utils/treeUtil'`,
  },
  // A radio for tables of which one row is chosen: of ours any number may be.
  { by: /antd\/es\/table\/hooks\/useSelection\.js/, asked: '../../radio', needed: 'export default () => null' },
  {
    by: /antd\/es\/form\/context\.js/,
    asked: '@rc-component/form',
    needed: `export { FormProvider } from '@rc-component/form/es/FormContext'`,
  },
  {
    by: /antd\/es\/color-picker\/(color|util)\.js/,
    asked: '@rc-component/color-picker',
    needed: `export { Color } from '@rc-component/color-picker/es/color'`,
  },
  // Whether the own colour of a button, or of a tag, takes black letters: as antd asks it of a colour one cannot see through, which ours all are.
  {
    by: /antd\/es\/(button\/style\/token|tag\/style\/index)\.js/,
    asked: '../../color-picker/components/ColorPresets',
    needed: `export const isBright = colour => {
      const { r, g, b } = colour.toRgb()
      return r * 0.299 + g * 0.587 + b * 0.114 > 192
    }`,
  },
]

/** Gives those files the little they need. */
export function onlyWhatIsNeeded(): Plugin {
  const prefix = '\0only-what-is-needed:'
  return {
    name: 'only-what-is-needed',
    enforce: 'pre',
    resolveId(source, importer) {
      const at = LITTLE.findIndex(({ by, asked }) => asked === source && importer !== undefined && by.test(importer))
      return at < 0 ? null : `${prefix}${at}`
    },
    load: id => (id.startsWith(prefix) ? (LITTLE[Number(id.slice(prefix.length))]?.needed ?? null) : null),
  }
}

const PREFIX = 'virtual:texts'
const PALETTE = 'kit/page/shell/palette'
/** Engines have no screen of their own, and most of their words are said by the server: what areas show of them comes along. */
const ENTITLEMENT = ['engines/entitlement']
const SHOWN_ENGINES: Readonly<Record<string, readonly string[]>> = {
  members: ENTITLEMENT,
  orders: ENTITLEMENT,
  products: ENTITLEMENT,
}
/** Parts that come when somebody reaches for them: their texts are bundles of their own and come along. */
const LATER: readonly string[] = [
  // What can be wrong with a chain is much, and said where one is written.
  'engines/rule',
  'kit/page/bulk',
  'kit/page/field',
  'kit/page/form',
  'kit/page/gallery',
  'kit/page/import',
  PALETTE,
  'kit/page/side',
  'kit/page/statistic',
  'kit/page/views',
]

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
  if (bundle === PALETTE) return { [bundle]: all[bundle] ?? {}, ...(await searched(bundles, language)) }
  if (LATER.includes(bundle)) return { [bundle]: all[bundle] ?? {} }
  if (bundle !== 'shell')
    return Object.fromEntries(
      Object.entries(all).filter(
        ([name]) => name === bundle || name.startsWith(`${bundle}/`) || SHOWN_ENGINES[bundle]?.includes(name),
      ),
    )
  const frame = Object.entries(all).filter(
    ([name]) => name === 'kit' || (name.startsWith('kit/page') && !LATER.includes(name)),
  )
  const titles = titlesOf(await readCatalogue())
  return {
    ...Object.fromEntries(frame),
    menu: Object.fromEntries(titles.map(name => [name, all[name]?.title ?? name])),
  }
}

const titlesOf = ({ areas }: Pick<Catalogue, 'areas'>): string[] =>
  areas.flatMap(area => [area.name, ...Object.values(area.screens).map(screen => screen.name)])

/** What screens are found by, and what can be made on them: "new order", where a record may be added. */
async function searched(bundles: Bundles, language: Language): Promise<Record<string, Record<string, string>>> {
  const catalogue = await readCatalogue()
  const made = catalogue.slices.flatMap(({ resource }) =>
    resource?.actions.includes('create') ? resource.screen.name : [],
  )
  const titled = (name: string) => (spoken: Language) => bundles[spoken][name]?.title ?? name
  const created = (name: string) => (spoken: Language) =>
    fill(bundles[spoken][PALETTE]?.create ?? '', { record: bundles[spoken][name]?.record ?? name })
  return {
    menuNames: Object.fromEntries(titlesOf(catalogue).map(name => [name, searchNames(titled(name))])),
    create: Object.fromEntries(made.map(name => [name, created(name)(language)])),
    createNames: Object.fromEntries(made.map(name => [name, searchNames(created(name))])),
  }
}

/** What a text is found by: its written forms, its pinyin and the initials of it. Made here, so that no dictionary ships. */
function searchNames(written: (language: Language) => string): string {
  const spelt = (pattern: 'pinyin' | 'first') =>
    pinyin(written('zh-CN'), { toneType: 'none', type: 'array', pattern, nonZh: 'consecutive' }).join('')
  return [...new Set([...LANGUAGES.map(written), spelt('pinyin'), spelt('first')])].join('|')
}

/** Keeps beside the manifest what each file was made of: a bundle past its limit names what grew (tools/bundle.ts). */
export function moduleSizes(): Plugin {
  let root = ''
  return {
    name: 'module-sizes',
    apply: 'build',
    configResolved(config) {
      root = `${config.root}/`
    },
    generateBundle(_options, bundle) {
      const named = (id: string) => id.replace('\0', '').replace(root, '')
      const modules: Modules = Object.fromEntries(
        Object.values(bundle).flatMap(file => {
          if (file.type !== 'chunk') return []
          const lengths = Object.entries(file.modules).map(([id, { renderedLength }]) => [named(id), renderedLength])
          return [[file.fileName, Object.fromEntries(lengths)]]
        }),
      )
      this.emitFile({ type: 'asset', fileName: MODULES, source: JSON.stringify(modules) })
    },
  }
}
