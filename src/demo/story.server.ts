import { glob } from 'node:fs/promises'
import type { Area } from '#kit/model/area.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { Schema } from '#kit/server/database/schema.gen.ts'
import type { Declared } from '#kit/server/declared.ts'
import type { Motif } from './picture.server.ts'
import type { RoleCode } from './roles.server.ts'
import type { Scene } from './scene.server.ts'
import type { World } from './world.server.ts'

const SOURCE = new URL('../', import.meta.url)

/** What a slice, what stands below its records, or an engine adds to the two years of the demo business: `demo` of its demo.server.ts. */
export type Story = {
  /** What roles may do on the slice's page. Who leads others may do what they may, and this. */
  readonly holds?: Readonly<Partial<Record<RoleCode, readonly string[]>>>
  /** Before the first day: puts on the agenda what is going to happen, and says what it wants to hear of. */
  readonly plan?: (world: World) => void
  /** When the two years are over: what is left under way, and the rows of what there is. */
  readonly end?: (world: World) => void
  /** Once everything is stored: what is kept beside the rows is reckoned from them. */
  readonly stored?: (tx: Tx, world: World) => Promise<unknown>
  /** What has a picture as its proof: the newest so many, and where the pictures are named. */
  readonly proved?: { readonly table: string; read(tx: Tx, newest: number): Promise<Proved[]> }
  /** What is looked at: where its pictures are named, and what each shows. */
  readonly pictured?: { readonly table: string; read(tx: Tx): Promise<Pictured[]> }
  /** What came in as photographs: where they are named, and how each is drawn; those called the same are drawn once. */
  readonly photographed?: {
    readonly table: string
    read(tx: Tx): Promise<Photographed[]>
    /** What else is known of a picture once it is stored. */
    stored?(tx: Tx, of: { readonly id: string; readonly fileId: string; readonly picture: Buffer }): Promise<void>
  }
  /**
   * What people enter in a form of the slice, together, where the kinds of its fields do not tell it: a choice and what goes with it, lines
   * that are read as a whole. Tests fill in forms by it.
   */
  readonly enters?: (offered: Offered) => Readonly<Record<string, unknown>>
  /** What people out there do while the business is played, and how often beside other things. */
  readonly scenes?: readonly (readonly [Scene, weight: number])[]
  readonly bulk?: Bulk
}

/** What there is to enter. */
export type Offered = {
  /** Reference → an id on offer. */
  readonly ids: ReadonlyMap<string, string>
  /** A picture nobody has used as yet. */
  readonly picture: () => string
  readonly now: Date
}

/** What comes of very many orders, made inside the database beside whatever is there, for measuring. */
export type Bulk = {
  /** Where it adds rows; nobody else does meanwhile. */
  readonly tables: readonly (keyof Schema)[]
  /** Where it changes some. */
  readonly counted?: readonly (keyof Schema)[]
  /** On the temporary tables the orders have left; today is their one parameter. */
  readonly statements: readonly string[]
}

/** `shownWith` is the record the picture is seen on, where the row that names it is none of its own. */
type Pictured = { readonly id: string; readonly motif: Motif; readonly shownWith?: string | undefined }

type Photographed = {
  readonly id: string
  readonly name: string
  readonly at: Date
  readonly same: string
  draw(): Promise<Buffer>
  /** The film it is the cover of. */
  film?(): Promise<Buffer>
}

/** Money that came or went by hand. */
export type Proved = {
  readonly id: string
  readonly fen: string
  readonly no: string | null
  readonly staff_id: string | null
  readonly at: string
}

export type ToldStory = Story & { readonly name: string }

/** The stories of all slices, each after those of the areas it depends on. Engines are below all areas. */
export async function readStories({ areas }: Pick<Declared, 'areas'>): Promise<ToldStory[]> {
  const paths: string[] = []
  for await (const path of glob(['areas/{*,*/*,*/*/*}/demo.server.ts', 'engines/*/demo.server.ts'], { cwd: SOURCE }))
    paths.push(path)
  const stories: ToldStory[] = []
  for (const path of paths.sort()) {
    const { demo } = (await import(new URL(path, SOURCE).href)) as { demo: Story }
    stories.push({ ...demo, name: path.replace(/^areas\/|\/demo\.server\.ts$/g, '') })
  }
  const order = dependingLast(areas)
  const placeOf = ({ name }: ToldStory): number =>
    name.startsWith('engines/') ? -1 : order.indexOf(name.split('/')[0] as string) >>> 0
  return stories.sort((a, b) => placeOf(a) - placeOf(b))
}

/** The names of the areas, each after those it depends on. */
function dependingLast(areas: readonly Area[]): string[] {
  const ordered = new Set<string>()
  const take = (name: string): void => {
    for (const other of areas.find(area => area.name === name)?.dependsOn ?? []) take(other)
    ordered.add(name)
  }
  for (const { name } of areas) take(name)
  return [...ordered]
}
