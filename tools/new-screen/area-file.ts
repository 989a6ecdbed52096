import { SPEC_ROUTES } from '../spec-routes.ts'
import { type Files, localeText, propertyName, type Wanted } from './wanted.ts'

/** An area nobody has begun: its group's key and its place in the menu are the contract's. */
export function areaFiles(area: string): Files {
  const areas = [...new Set(SPEC_ROUTES.map(route => route.area))]
  const at = areas.indexOf(area)
  if (at === -1) throw new Error(`${area} is no area of the specification: ${areas.join(', ')}`)
  const group = SPEC_ROUTES.find(route => route.area === area)?.group
  return {
    [`src/areas/${area}/area.ts`]: `import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: '${area}',
  key: ${group === null ? 'null' : `'${group}'`},
  icon: '${area}',
  order: ${(at + 1) * 10},
  screens: {
  },
})
`,
    [`src/areas/${area}/locale.ts`]: localeText(area, {}),
  }
}

/**
 * The area's file with the screen among the others, in the menu's order, and with the area whose records it reads among those
 * it depends on.
 */
export function withScreen(areaText: string, { screen, route, key, kind, reads }: ScreenLine): string {
  const end = areaText.lastIndexOf('\n  },\n})')
  if (end === -1) throw new Error('area.ts does not end with its screens')
  const later = ROUTES.slice(ROUTES.indexOf(route) + 1).map(other => areaText.search(`\n.*\\{ route: '${other}'`))
  const at = ROUTES.includes(route) ? Math.min(end, ...later.filter(place => place !== -1)) : end
  const line = `${propertyName(screen)}: { route: '${route}', key: '${key}'${SHOWS_NONE.includes(kind) ? ', records: false' : ''} },`
  const text = `${areaText.slice(0, at)}\n    ${line}${areaText.slice(at)}`
  return reads === undefined ? text : withDependency(text, reads)
}
const ROUTES = SPEC_ROUTES.map(({ route }) => route)
type ScreenLine = Pick<Wanted, 'screen' | 'route' | 'key' | 'kind' | 'reads'>
/** Below these no record has an address. */
const SHOWS_NONE: readonly Wanted['kind'][] = ['statistic', 'page']

function withDependency(text: string, area: string): string {
  const [line, names] = /^ {2}dependsOn: \[(.*)\],\n/m.exec(text) ?? []
  if (line === undefined) return text.replace('\n  screens: {', `\n  dependsOn: ['${area}'],\n  screens: {`)
  return names?.includes(`'${area}'`) ? text : text.replace(line, `  dependsOn: [${names}, '${area}'],\n`)
}
