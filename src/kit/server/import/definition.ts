import type * as z from 'zod'
import type { Actor } from '#kit/model/actor.ts'
import type { Screen } from '#kit/model/area.ts'
import { type FieldKind, fieldMeta } from '#kit/model/field.ts'
import type { Refusal } from '#kit/model/refusal.ts'
import type { Shape } from '#kit/model/resource.ts'
import type { App } from '../app.ts'
import type { Doer } from '../call.ts'
import type { Constraints, Operation } from '../change/operation.ts'

/** A row of the file whose cells all read well; `no` is its number in the file, the head line counted. */
export type ImportRow<Columns extends Shape = Shape> = {
  readonly no: number
  readonly values: { readonly [Field in keyof Columns]: z.infer<Columns[Field]> }
}

/** Why a row is not taken; `field` when one of its cells is the reason. */
export type RowError = Refusal & { readonly field?: string }

export type Import<Columns extends Shape = Shape> = {
  readonly screen: Screen & { readonly key: string }
  /** What a row is made of, by constructors of kit/model/field.ts; the texts are the slice's `field.<name>`. */
  readonly columns: Columns
  /** What is said once of the whole file, by constructors of kit/model/field.ts; the page's `ImportButton` asks for the same. */
  readonly asks?: Asks
  /** Fields of which each value may stand in the file once. */
  readonly unique: readonly Extract<keyof Columns, string>[]
  /** What speaks against these rows and their cells, by their numbers. Asked for many at once, before anything is changed. */
  check?(
    asked: Asked,
    rows: readonly ImportRow<Columns>[],
  ): Promise<ReadonlyMap<number, RowError | readonly RowError[]>>
  /** Rows in one transaction: what they lock stays locked that long. */
  readonly chunk: number
  /**
   * Gives the record each row made or changed, in their order, or why that one row is left out. What it refuses is undone and tried again in halves, until
   * the one row that is refused stands alone: it must change nothing that the transaction does not take back.
   */
  apply(
    op: Operation,
    rows: readonly ImportRow<Columns>[],
    batch: ImportedBatch,
  ): Promise<readonly (string | RowError)[]>
  /** Takes these records back, or refuses because of one that was touched since; then none is taken back. */
  undo?(op: Operation, recordIds: readonly string[]): Promise<void>
  constraints?: Constraints
}
export type Asks = {
  readonly shape: Shape
  /** What is missing or wrong in what was said, by field: what one field alone cannot tell. */
  refuse?(said: Said): Readonly<Record<string, Refusal>>
}
export type Said = Readonly<Record<string, unknown>>

/** The import these rows belong to, with what was said of its file; of what was left out when it was checked, how many by the first reason of each. */
export type ImportedBatch = {
  readonly id: string
  readonly title: string
  readonly allRows: number
  readonly said: Said
  readonly refused: Readonly<Record<string, number>>
}
/** Who asks, and by which call: what is told of more than the file stands in the log. */
export type Asked = { readonly app: App; readonly actor: Actor; readonly now: Date; readonly call: Doer }

/** Where a row is one line of a statement. */
const BULK = 1_000

/** What a cell of text can be read as. A reference is imported by what people call it, and looked up in `check`. */
const READABLE: ReadonlySet<FieldKind> = new Set([
  'text',
  'long-text',
  'code',
  'personal',
  'number',
  'money',
  'flag',
  'day',
  'choice',
  'dictionary',
] satisfies FieldKind[])

/** Declares what may be brought in on a page; a slice's server.ts lists it in `imports`. */
export function defineImport<Columns extends Shape>(
  declared: Omit<Import<Columns>, 'screen' | 'unique' | 'chunk'> & {
    screen: Screen
    unique?: readonly Extract<keyof Columns, string>[]
    chunk?: number
  },
): Import<Columns> {
  const { screen, columns } = declared
  const { key } = screen
  if (key === null) throw new Error(`${screen.name}: an import needs a screen with a permission key`)
  for (const [field, schema] of Object.entries(columns)) {
    const { kind } = fieldMeta(schema)
    if (!READABLE.has(kind)) throw new Error(`${screen.name}: ${field} cannot be read from a cell`)
  }
  return { unique: [], chunk: BULK, ...declared, screen: { ...screen, key } }
}

export const importActions = ({ undo }: Import): readonly string[] => (undo ? ['import', 'undoImport'] : ['import'])
