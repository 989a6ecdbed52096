/** What is loaded at the same moment comes as one file: each file more is a trip more, six at a time where there is no HTTP/2. */

type Module = { readonly importedIds: readonly string[]; readonly dynamicImporters: readonly string[] }
type Graph = { getModuleInfo(id: string): Module | null }

/** The moments of a first load, in their order, and where each begins. What an earlier one has brought is there. */
const MOMENTS: readonly (readonly [string, readonly string[]])[] = [
  ['entry', ['src/console.tsx']],
  ['login', ['src/kit/page/shell/login/login-layout.tsx']],
  ['frame', ['src/kit/page/shell/frame/frame.tsx', 'src/kit/page/shell/notice/notice-host.tsx']],
  ['list', ['src/kit/page/list/list-page.tsx']],
]

/** Whoever signs in has not loaded the login page: what frame and login share stands apart. */
const SHARED = 'shared'

/** The file a module belongs into; none for what a few screens need: those share as they happen to. */
export function chunkNamer(root: string): (id: string, graph: Graph) => string | null {
  let names: ReadonlyMap<string, string> | undefined
  return (id, graph) => {
    names ??= namesOf(root, graph)
    return names.get(id) ?? null
  }
}

function namesOf(root: string, graph: Graph): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const [moment, starts] of MOMENTS) {
    const reached = new Set<string>()
    for (const start of starts) reach(`${root}/${start}`, graph, reached)
    for (const id of reached) {
      // What somebody may ask for by itself keeps a file of its own: rolldown 1.2 loses its exports in a shared one.
      if (graph.getModuleInfo(id)?.dynamicImporters.length) continue
      const before = names.get(id)
      if (before === undefined) names.set(id, moment)
      else if (before === 'login') names.set(id, SHARED)
    }
  }
  return names
}

/** Through our own files alone: the index of a package names all it has, and says nothing of what is used. */
function reach(id: string, graph: Graph, reached: Set<string>): void {
  if (reached.has(id) || id.includes('/node_modules/')) return
  reached.add(id)
  for (const next of graph.getModuleInfo(id)?.importedIds ?? []) reach(next, graph, reached)
}
