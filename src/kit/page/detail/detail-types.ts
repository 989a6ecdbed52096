import type { ComponentType, ReactNode } from 'react'

/** How a slice shows fields of its own, by field: what only the detail knows, or a value that deserves more than text. */
export type Shows = Readonly<Record<string, (row: never) => ReactNode>>

/** Another side of the record: the key of its name in the slice's texts, or in another's, and what it shows. */
export type DetailTab = {
  readonly name: string
  readonly texts?: string
  readonly Show: ComponentType<{ row: never }>
}

/** What stands above the sides of every record of a slice: who it is about, at a glance. */
export type DetailHead = ComponentType<{ row: never }>
