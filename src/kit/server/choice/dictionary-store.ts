import { sql } from 'kysely'
import type { App } from '../app.ts'
import type { Tx } from '../database/database.ts'
import { type BuiltInDictionaries, entriesOf, type OwnWords, ownWords } from './built-in-dictionary.ts'

/** Any number: instances that start together add each type once. */
const LOCK = 7_283_404

/** Asked at each start: the code relies on these, so what is missing is added; what people changed stays. */
export const keepBuiltInDictionaries = (
  { db, env, catalogue }: Pick<App, 'db' | 'env' | 'catalogue'>,
  now: Date,
): Promise<void> =>
  db.write(async tx => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
    for (const [code, declared] of catalogue.dictionaries) {
      const name = declared.name[env.DEFAULT_LOCALE]
      const note = declared.note?.[env.DEFAULT_LOCALE] ?? ''
      const { id } = await tx
        .insertInto('dictionary_type')
        .values({ code, name, note, built_in: true, created_at: now })
        .onConflict(known => known.column('code').doUpdateSet({ built_in: true }))
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('dictionary_item')
        .values(entriesOf(declared).map((entry, sort) => ({ ...entry, type_id: id, sort })))
        .onConflict(known => known.doNothing())
        .execute()
    }
    await forgetRepeatedWords(tx, catalogue.dictionaries)
  })

/** Labels were stored once, also where they said what was declared: such an entry would never hear of a better word. */
async function forgetRepeatedWords(tx: Tx, dictionaries: BuiltInDictionaries): Promise<void> {
  const worded = await tx
    .selectFrom('dictionary_item as i')
    .innerJoin('dictionary_type as t', 't.id', 'i.type_id')
    .select(['i.id', 'i.labels', 'i.value', 't.code'])
    .where('t.built_in', '=', true)
    .where('i.labels', '<>', '{}')
    .execute()
  for (const { id, labels, value, code } of worded) {
    const own = ownWords(labels as OwnWords, dictionaries.get(code)?.entries[value])
    if (Object.keys(own).length < Object.keys(labels as OwnWords).length)
      await tx
        .updateTable('dictionary_item')
        .set({ labels: JSON.stringify(own) })
        .where('id', '=', id)
        .execute()
  }
}

/** An entry as it is kept. */
export type StoredEntry = {
  readonly value: string
  readonly labels: OwnWords
  readonly colour: string | null
  readonly enabled: boolean
}

/** These replace the entries a type had before: their order is the order people see. */
export async function storeEntries(tx: Tx, typeId: string, entries: readonly StoredEntry[]): Promise<void> {
  await tx
    .deleteFrom('dictionary_item')
    .where('type_id', '=', typeId)
    .where('value', 'not in', ['', ...entries.map(({ value }) => value)])
    .execute()
  if (entries.length === 0) return
  await tx
    .insertInto('dictionary_item')
    .values(entries.map((entry, sort) => ({ ...entry, labels: JSON.stringify(entry.labels), type_id: typeId, sort })))
    .onConflict(known =>
      known.columns(['type_id', 'value']).doUpdateSet(({ ref }) => ({
        labels: ref('excluded.labels'),
        colour: ref('excluded.colour'),
        enabled: ref('excluded.enabled'),
        sort: ref('excluded.sort'),
      })),
    )
    .execute()
}
