import type { ComponentType } from 'react'
import type { Row } from '../list/list-state.ts'

export type BulkToolsProps = {
  /** How many are chosen: these rows, or all that match. */
  readonly count: number
  /** Which they are: of all that match, at most so many. */
  ids(most: number): Promise<readonly string[]>
  readonly isAll: boolean
  /** Those chosen one by one, as far as they have been seen here: for a question that names them. */
  readonly rows: readonly Row[]
  onDone(): void
}

/** Buttons of a slice's own for what is chosen; it says when it has changed it. */
export type BulkTools = ComponentType<BulkToolsProps>
