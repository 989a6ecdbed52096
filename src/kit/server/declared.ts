import type { Area, Screen } from '#kit/model/area.ts'
import type { Child } from '#kit/model/child.ts'
import type { Reference, Resource } from '#kit/model/resource.ts'
import type { DeclaredSetting } from '#kit/model/setting.ts'
import type { Statistic } from '#kit/model/statistic.ts'
import type { Workflow } from '#kit/model/workflow.ts'
import type { BuiltInDictionaries } from './choice/built-in-dictionary.ts'

/** What a slice's model declares: all that the kit's own parts need to know of it while the console runs. */
export type DeclaredSlice = {
  readonly name: string
  readonly screen: Screen | null
  readonly resource: Resource | null
  /** What others call its records. */
  readonly reference: Reference | null
  /** What the screen counts, where it shows numbers instead of records. */
  readonly statistic: Statistic | null
  readonly workflow: Workflow | null
  /** Actions of the page besides its resource's and workflow's. */
  readonly actions: readonly string[]
}

export type Declared = {
  readonly areas: readonly Area[]
  readonly screens: readonly Screen[]
  readonly slices: readonly DeclaredSlice[]
  /** Records that stand below those of a slice. */
  readonly children: readonly Child[]
  readonly references: ReadonlyMap<string, Reference>
  /** Those the slices and areas rely on, by code. */
  readonly dictionaries: BuiltInDictionaries
  /** Numbers of the business that people change, by key, in the order of the menu. */
  readonly settings: ReadonlyMap<string, DeclaredSetting>
  /** Every page key with the actions it knows: the source of the permission rows. */
  readonly pages: ReadonlyMap<string, readonly string[]>
}

export const requireReference = (catalogue: Pick<Declared, 'references'>, name: string): Reference => {
  const reference = catalogue.references.get(name)
  if (!reference) throw new Error(`no slice declares the reference ${name}`)
  return reference
}
