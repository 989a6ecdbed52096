import type { Plugin } from 'vite'
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
  // Rows below rows that are chosen with them, which antd asks for where a table says `checkStrictly: false`: none of ours does.
  {
    by: /antd\/es\/table\/hooks\/useSelection\.js/,
    asked: '@rc-component/tree',
    needed: `export const arrAdd = (keys, key) => [...new Set(keys).add(key)]
      export const arrDel = (keys = [], key) => keys.filter(one => one !== key)
      export const conductCheck = () => ({ checkedKeys: [], halfCheckedKeys: [] })
      export const convertDataToEntities = () => ({ keyEntities: {} })`,
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
