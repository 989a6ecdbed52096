// Plain JavaScript: the test runner needs it before anything is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Parts of names of test files by project; an empty part fits all. */
const NOTHING = { server: [], page: [], faults: [], journeys: [] }
export const EVERYTHING = { server: [''], page: [''], faults: [''], journeys: [''] }
const TEST = /\.test\.tsx?$/
/** Tests that a plain run leaves to the long one, and to whoever asks for them (decision 089). */
export const OF_THE_LONG_RUN = '.long.test.ts'

/**
 * Which rule a changed file falls under; the first that fits. Boundaries keep these true: a page sees no server code, the
 * kit no area, and an area only those it depends on.
 */
const RULES = [
  [/^README\.md$/, () => ({ server: ['tools/docs.test.ts'], faults: ['faults/commands.test.ts'] })],
  [/^docs\/|\.md$/, () => ({ server: ['tools/docs.test.ts'] })],
  [/^e2e\/.*\.test\.ts$/, path => ({ journeys: [path] })],
  [/^(faults\/.*|src\/server)\.test\.ts$/, path => ({ faults: [path] })],
  [/\.test\.tsx$|^src\/kit\/page\/.*\.test\.ts$/, path => ({ page: [path] })],
  [TEST, path => ({ server: [path] })],
  [/^e2e\//, () => ({ journeys: [''] })],
  [/^faults\//, () => ({ faults: [''], server: ['src/demo/seed.test.ts'] })],
  [/^src\/kit\/page\//, () => ({ server: ['tools/'], page: [''], journeys: [''] })],
  [/^src\/areas\/[^/]+\/.*(page\.tsx|locale\.ts|\.css)$/, (path, areas) => ofArea(path, areas, { server: ['tools/'] })],
  [
    /^src\/areas\/[^/]+\//,
    (path, areas) => ofArea(path, areas, { server: ['tools/', 'src/demo/', ...folders(path, areas)], faults: [''] }),
  ],
]

/** What the changed files can reach; everything, where no rule knows better. */
export function reachOf(changed, areas) {
  const reached = structuredClone(NOTHING)
  for (const path of changed) {
    const rule = RULES.find(([pattern]) => pattern.test(path))?.[1]
    for (const [project, names] of Object.entries(rule ? rule(path, areas) : EVERYTHING))
      reached[project] = [...new Set([...reached[project], ...names])]
  }
  return reached
}

/** By the first word after `npm test --`: a plain run, and what a change can reach. */
export const leavesLongOut = word => word === undefined || word === '--since'

/** Of these test files, those of the long run that lie within reach: `--since` names them, and runs none of them. */
export function longWithin(reached, files) {
  return files.filter(
    path => path.endsWith(OF_THE_LONG_RUN) && reached[projectOf(path)].some(name => path.includes(name)),
  )
}

const projectOf = path => (path.startsWith('e2e/') ? 'journeys' : path.startsWith('faults/') ? 'faults' : 'server')

const ofArea = (path, areas, more) => ({ page: folders(path, areas), journeys: [''], ...more })

/** The folders of a file's area and of all that depend on it, on these, and so on. */
function folders(path, areas) {
  const reached = new Set([path.split('/')[2]])
  for (let before = 0; before !== reached.size; ) {
    before = reached.size
    for (const [area, dependsOn] of Object.entries(areas))
      if (dependsOn.some(name => reached.has(name))) reached.add(area)
  }
  return [...reached].map(area => `src/areas/${area}/`)
}

/** Area → the areas it depends on, read from the text of its declaration: this Node may know no TypeScript. */
export function readAreas(root) {
  const folder = join(root, 'src', 'areas')
  return Object.fromEntries(
    readdirSync(folder)
      .filter(area => existsSync(join(folder, area, 'area.ts')))
      .map(area => {
        const text = readFileSync(join(folder, area, 'area.ts'), 'utf8')
        const named = /dependsOn: \[([^\]]*)\]/.exec(text)?.[1] ?? ''
        return [area, [...named.matchAll(/'([^']+)'/g)].map(match => match[1])]
      }),
  )
}

/** What differs from a commit, with what is not committed or not even known to git. A test that is gone is nothing to run. */
export function changedSince(ref, root) {
  const lines = (...args) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr?.trim() || 'git does not answer')
    return stdout.split('\n').filter(Boolean)
  }
  const changed = [
    ...lines('diff', '--name-only', '--no-renames', ref, '--'),
    ...lines('ls-files', '--others', '--exclude-standard'),
  ]
  return [...new Set(changed)].filter(path => !TEST.test(path) || existsSync(join(root, path)))
}
