import type { ReactNode } from 'react'
import type { Resource, Shape } from '#kit/model/resource.ts'
import type { Values } from './values.ts'

/** Inputs a slice writes itself, by field. Each gets what Form.Item gives: value and onChange. */
export type Inputs = Readonly<Record<string, OwnInput>>
type OwnInput = {
  (): ReactNode
  readonly isWide?: boolean
  readonly isRoomy?: boolean
  /** All that can be chosen there; an address fills in nothing else. */
  readonly offers?: readonly string[]
}

/** An input that takes the whole width where fields stand in two columns. */
export const wide = (input: () => ReactNode): OwnInput => Object.assign(() => input(), { isWide: true })

/** An input that needs more than the width of a form, as code and what is drawn of it do. */
export const roomy = (input: () => ReactNode): OwnInput => Object.assign(() => input(), { isRoomy: true })

/** An input that offers less than the record knows. */
export const offering = (offers: readonly string[], input: () => ReactNode): OwnInput =>
  Object.assign(() => input(), { offers })

/** Whether a field is asked for, given what is known of the record and has been entered so far, or even needed where the record may do without. */
export type IsShown = (field: string, values: Values) => boolean | 'required'

/** The record as a form sees it: its fields, and what is asked for besides. */
export const withInput = <S extends Shape>(resource: Resource<S>, input: Shape): Resource => ({
  ...resource,
  record: { ...resource.record, shape: { ...resource.record.shape, ...input } },
})
