import { onField, type Refusal, refuse } from '#kit/model/refusal.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { ask, defineQuestion } from '#kit/server/change/question.ts'
import { findUse } from '#kit/server/choice/dictionary.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { DictionaryItem } from './model.ts'

/** Why one of these entries must stay though no record holds it: there is a record behind it, whose slice knows. */
export const entryStays = defineQuestion<
  { readonly tx: Tx; readonly code: string; readonly values: readonly string[] },
  Refusal | undefined
>('dictionary-entry-stays')

/** Entries that were there and are not sent any more. */
export async function lostOf(
  { tx }: Operation,
  id: string,
  items: readonly DictionaryItem[],
): Promise<readonly string[]> {
  const stored = await tx.selectFrom('dictionary_item').select('value').where('type_id', '=', id).execute()
  return stored.map(({ value }) => value).filter(value => !items.some(item => item.value === value))
}

/** What records hold and what the code relies on stays: without it they would show a bare code. */
export async function refuseLoss(op: Operation, code: string, lost: readonly string[]): Promise<void> {
  if (lost.length === 0) return
  const declared = op.app.catalogue.dictionaries.get(code)?.entries ?? {}
  const builtIn = lost.find(value => value in declared)
  if (builtIn !== undefined) throw refusedItems('value-built-in', { value: builtIn })
  const use = await findUse(op, code, lost)
  if (use) throw refusedItems('value-in-use', use)
  const stays = await ask(op.app, entryStays, { tx: op.tx, code, values: lost })
  if (stays) throw onField('items', stays)
}

export const refusedItems = (code: string, params: Readonly<Record<string, string | number>>) => {
  const refusal = refuse(code, params)
  return onField('items', refusal)
}
