import { glob } from 'node:fs/promises'
import type { Area, Screen } from '#kit/model/area.ts'
import type { Child } from '#kit/model/child.ts'
import { EDITION_ACTIONS } from '#kit/model/edition.ts'
import type { Reference, Resource } from '#kit/model/resource.ts'
import { type DeclaredSetting, keyIn, type Settings } from '#kit/model/setting.ts'
import type { Statistic } from '#kit/model/statistic.ts'
import type { Workflow } from '#kit/model/workflow.ts'
import type { Answer, Listener } from './app.ts'
import type { Invariant, OpenWork } from './change/invariants.ts'
import type { Delivery } from './change/outbox.ts'
import type { BuiltInDictionaries, BuiltInDictionary } from './choice/built-in-dictionary.ts'
import type { Declared, DeclaredSlice } from './declared.ts'
import type { Routes } from './http/route.ts'
import { type Import, importActions } from './import/definition.ts'
import type { Door } from './live/door.ts'
import type { InboxEvent } from './live/event.ts'
import { type RollUp, rollUpInvariant } from './statistic/roll-up.ts'
import type { DeclaredJob } from './work/job.ts'

const SOURCE = new URL('../../', import.meta.url)

/** One slice as its files declare it. A slice without a screen owns records other slices show; so does an engine. */
export type Slice = DeclaredSlice & {
  readonly routes: Routes | null
  /** Signed events this slice applies. */
  readonly events: readonly InboxEvent[]
  /** Where platforms tell them in words of their own. */
  readonly doors: readonly Door[]
  readonly listeners: readonly Listener[]
  readonly answers: readonly Answer[]
  readonly jobs: readonly DeclaredJob[]
  readonly deliveries: readonly Delivery[]
  readonly invariants: readonly Invariant[]
  readonly openWork: readonly OpenWork[]
  /** What is kept by day of the slice's table as it is written. */
  readonly rollUps: readonly RollUp[]
  /** Files of rows people may bring in on the page. */
  readonly imports: readonly Import[]
}

/** With what its server code does. */
export type Catalogue = Omit<Declared, 'slices'> & {
  readonly slices: readonly Slice[]
  /** Of all slices, in the order of the menu. */
  readonly listeners: readonly Listener[]
}

/** Folders do not change under a running process: looked through once for all its instances. */
let read: Promise<Catalogue> | undefined

/** All areas and slices as their folders hold them: what has no folder does not exist. */
export function readCatalogue(): Promise<Catalogue> {
  read ??= readFolders()
  return read
}

async function readFolders(): Promise<Catalogue> {
  const areas: Area[] = []
  for await (const path of glob('areas/*/area.ts', { cwd: SOURCE })) areas.push((await load(path)).area as Area)
  areas.sort((a, b) => a.order - b.order)
  const screens = areas.flatMap(area => Object.values(area.screens))
  const files = new Set<string>()
  for await (const path of glob(['areas/*/*/{model,server}.ts', 'engines/*/server.ts'], { cwd: SOURCE }))
    files.add(path)
  const folders = new Set([...files].map(path => path.slice(0, path.lastIndexOf('/'))))
  const part = (path: string) => (files.has(path) ? load(path) : {})
  const slices: Slice[] = []
  for (const folder of [...folders].sort()) {
    const model: Exports = await part(`${folder}/model.ts`)
    const server: Exports = await part(`${folder}/server.ts`)
    slices.push(sliceOf(folder.replace(/^areas\//, ''), screens, model, server))
  }
  const references = new Map(slices.flatMap(({ reference }) => (reference ? [[reference.name, reference]] : [])))
  const order = (slice: Slice) => areas.findIndex(area => slice.name.startsWith(`${area.name}/`))
  const listeners = [...slices].sort((a, b) => order(a) - order(b)).flatMap(slice => slice.listeners)
  const dictionaries = await readDictionaries()
  const settings = await readSettings(areas)
  const children = await readChildren()
  const pages = pagesOf(screens, slices)
  return { areas, screens, slices, children, listeners, references, dictionaries, settings, pages }
}

/** A folder in a slice's is what stands below its records. */
async function readChildren(): Promise<Child[]> {
  const paths: string[] = []
  for await (const path of glob('areas/*/*/*/model.ts', { cwd: SOURCE })) paths.push(path)
  return Promise.all(paths.sort().map(async path => (await load(path)).child as Child))
}

async function readDictionaries(): Promise<BuiltInDictionaries> {
  const found = new Map<string, BuiltInDictionary>()
  const paths: string[] = []
  for await (const path of glob('areas/{*,*/*}/dictionaries.server.ts', { cwd: SOURCE })) paths.push(path)
  for (const path of paths.sort()) {
    const { dictionaries } = (await load(path)) as { dictionaries: Readonly<Record<string, BuiltInDictionary>> }
    for (const [code, dictionary] of Object.entries(dictionaries)) {
      if (found.has(code)) throw new Error(`${path} declares ${code}, which is declared elsewhere`)
      found.set(code, dictionary)
    }
  }
  return found
}

async function readSettings(areas: readonly Area[]): Promise<Map<string, DeclaredSetting>> {
  const paths: string[] = []
  for await (const path of glob('areas/*/*/settings.model.ts', { cwd: SOURCE })) paths.push(path)
  const order = (path: string) => areas.findIndex(({ name }) => path.startsWith(`areas/${name}/`))
  const found = new Map<string, DeclaredSetting>()
  for (const path of paths.sort((a, b) => order(a) - order(b) || a.localeCompare(b))) {
    const { group, keys } = (await load(path)).settings as Settings
    const slice = path.replace(/^areas\/|\/settings\.model\.ts$/g, '')
    for (const [name, setting] of Object.entries(keys)) {
      const key = keyIn(group, name)
      if (found.has(key)) throw new Error(`${path} declares ${key}, which is declared elsewhere`)
      found.set(key, { ...setting, key, group, name, slice })
    }
  }
  return found
}

const sliceOf = (name: string, screens: readonly Screen[], model: Exports, server: Exports): Slice => ({
  name,
  screen: screens.find(screen => screen.name === name) ?? null,
  resource: (model.resource as Resource | undefined) ?? null,
  reference: (model.reference as Reference | undefined) ?? null,
  statistic: (model.statistic as Statistic | undefined) ?? null,
  workflow: (model.workflow as Workflow | undefined) ?? null,
  actions: (model.actions as readonly string[] | undefined) ?? [],
  routes: (server.routes as Routes | undefined) ?? null,
  events: (server.events as readonly InboxEvent[] | undefined) ?? [],
  doors: (server.doors as readonly Door[] | undefined) ?? [],
  listeners: (server.listeners as readonly Listener[] | undefined) ?? [],
  answers: (server.answers as readonly Answer[] | undefined) ?? [],
  jobs: (server.jobs as readonly DeclaredJob[] | undefined) ?? [],
  deliveries: (server.deliveries as readonly Delivery[] | undefined) ?? [],
  invariants: [
    ...((server.invariants as readonly Invariant[] | undefined) ?? []),
    ...rollUpsOf(server).map(rollUpInvariant),
  ],
  openWork: (server.openWork as readonly OpenWork[] | undefined) ?? [],
  rollUps: rollUpsOf(server),
  imports: (server.imports as readonly Import[] | undefined) ?? [],
})

const rollUpsOf = (server: Exports) => (server.rollUps as readonly RollUp[] | undefined) ?? []

function pagesOf(screens: readonly Screen[], slices: readonly Slice[]): Map<string, string[]> {
  const pages = new Map<string, string[]>()
  for (const screen of screens) {
    if (screen.key === null) continue
    const slice = slices.find(candidate => candidate.name === screen.name)
    const actions = new Set([...(slice?.resource?.actions ?? []), ...(slice?.statistic?.actions ?? [])])
    for (const step of Object.keys(slice?.workflow?.steps ?? {})) actions.add(step)
    for (const action of slice?.resource?.editions ? EDITION_ACTIONS : []) actions.add(action)
    for (const action of [...(slice?.actions ?? []), ...(slice?.imports ?? []).flatMap(importActions)])
      actions.add(action)
    pages.set(screen.key, [...new Set([...(pages.get(screen.key) ?? []), ...actions])])
  }
  return pages
}

type Exports = Readonly<Record<string, unknown>>
const load = (path: string): Promise<Exports> => import(new URL(path, SOURCE).href)
