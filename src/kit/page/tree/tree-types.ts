import type { Resource, Shape } from '#kit/model/resource.ts'
import type { DetailHead, DetailTab, Shows } from '../detail/detail-types.ts'
import type { Inputs, IsShown } from '../form/inputs.ts'

export type TreePageProps<S extends Shape> = {
  resource: Resource<S>
  /** Inputs of its own, by field. */
  inputs?: Inputs
  isShown?: IsShown
  /** What the detail shows in its own way, by field. */
  shows?: Shows
  tabs?: readonly DetailTab[]
  head?: DetailHead
}
