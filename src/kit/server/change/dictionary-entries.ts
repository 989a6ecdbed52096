import { defineQuestion } from './question.ts'
import type { Reading } from './rules.ts'

/** An entry as it is kept: what people here call it stands in `labels`, by language. */
type KeptEntry = {
  readonly code: string
  readonly value: string
  readonly labels: unknown
  readonly colour: string | null
  readonly enabled: boolean
}
type Asked = { readonly db: Reading; readonly codes: readonly string[]; readonly values?: readonly string[] }

/** The entries of these dictionaries in their order, or those of them that have these values. */
export const dictionaryKept = defineQuestion<Asked, KeptEntry[]>('dictionary-entries')
