import type { ReactNode } from 'react'

/** What an input of a cell is given: its name for whoever does not see the heading, and the mark of what is wrong. */
export type Given = { readonly 'aria-label': string; readonly status?: 'error'; readonly 'aria-invalid'?: true }

/** One part of one line, as its input sees it. */
export type Cell<L, V = unknown> = {
  readonly line: L
  readonly isLast: boolean
  readonly value: V
  readonly given: Given
  /** The same for another part that is entered in this cell too. */
  give(part: keyof L & string, label: string): Given
  change(value: V): void
  set(parts: Partial<L>): void
}

type Heading<L> = {
  readonly title: string
  /** In px; whoever says none shares what is left. */
  readonly width?: number
  /** Figures stand below one another at the right. */
  readonly isFigure?: boolean
  /** Stands under the column and follows what is typed. */
  sum?(lines: readonly L[]): ReactNode
}

export type EnteredColumn<L, Name extends keyof L & string> = Heading<L> & {
  readonly name: Name
  /** What an input is called where the heading says too little. */
  label?(line: L): string
  cell(cell: Cell<L, L[Name]>): ReactNode
  /** Parts entered in this cell beside its own: what is wrong with them is said here. */
  readonly also?: readonly (keyof L & string)[]
  /** What text of a spreadsheet means here; nothing where it means nothing. */
  paste?(text: string): L[Name] | undefined
}

/** A column that only tells. */
type ToldColumn<L> = Heading<L> & { readonly name: string; tell(line: L): ReactNode }

export type Column<L> = { [Name in keyof L & string]: EnteredColumn<L, Name> }[keyof L & string] | ToldColumn<L>
