import { importsOf, isDemo, roleOf, type SourceFile } from './source.ts'

/**
 * The rooms of the two large folders, each above what it may import. What stands beside the rooms is named here too: it
 * belongs to none of them, and is bound by the rule that no files import each other in a circle, not even for types.
 */
const HOUSES: Readonly<Record<string, { readonly beside: readonly string[]; readonly rooms: readonly string[] }>> = {
  'src/kit/server/': {
    beside: ['app', 'call', 'catalogue', 'declared'],
    rooms: [
      'process',
      'database',
      'text',
      'access',
      'list',
      'storage',
      'change',
      'setting',
      'work',
      'http',
      'choice',
      'file',
      'serve',
      'view',
      'statistic',
      'import',
      'live',
      'auth',
      'start',
      'cli',
    ],
  },
  'src/kit/page/shell/': {
    beside: ['locale', 'overlay'],
    rooms: ['look', 'notice', 'session', 'failure', 'tabs', 'live', 'palette', 'menu', 'login', 'settings', 'frame'],
  },
}

/** Files that stand in no room, and imports that go up. Each breach is one sentence that begins with its file. */
export function roomOrder(files: readonly SourceFile[]): string[] {
  return Object.entries(HOUSES).flatMap(([house, { beside, rooms }]) => {
    const roomOf = (path: string) => {
      const [room, ...rest] = path.slice(house.length).split('/')
      return rest.length === 0 ? undefined : room
    }
    return files
      .filter(({ path }) => path.startsWith(house) && roleOf(path) !== 'test' && !path.endsWith('.d.ts'))
      .flatMap(file => {
        const own = roomOf(file.path)
        if (own === undefined)
          return beside.includes(file.path.slice(house.length).replace(/\.tsx?$/, ''))
            ? []
            : [`${file.path}: stands in no room of ${house}`]
        if (!rooms.includes(own)) return [`${file.path}: tools/room-order.ts does not say where the room ${own} stands`]
        const targets = importsOf(file).flatMap(({ target }) => (target?.startsWith(house) ? target : []))
        return targets.flatMap(target => {
          const other = roomOf(target)
          return other !== undefined && rooms.indexOf(other) > rooms.indexOf(own)
            ? [`${file.path}: ${own} stands below ${other} and may not import ${target}`]
            : []
        })
      })
  })
}

/** Files of the kit and of the demo business that import each other in a circle, for types too: none of them can be read before the others. */
export function fileCircles(files: readonly SourceFile[]): string[] {
  const sources = files.filter(({ path }) => (path.startsWith('src/kit/') || isDemo(path)) && roleOf(path) !== 'test')
  const targets = new Map(
    sources.map(file => [file.path, importsOf(file).flatMap(({ target }) => target ?? [])] as const),
  )
  const done = new Set<string>()
  const found: string[] = []
  const walk = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path)
    if (at >= 0) found.push(`${path}: imports itself by way of ${[...way.slice(at + 1), path].join(', ')}`)
    if (at >= 0 || done.has(path)) return
    for (const target of targets.get(path) ?? []) walk(target, [...way, path])
    done.add(path)
  }
  for (const path of targets.keys()) walk(path, [])
  return found
}
