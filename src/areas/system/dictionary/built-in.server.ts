import { sql } from 'kysely'
import type { App } from '#kit/server/app.ts'
import { type BuiltInDictionaries, entriesOf, type OwnWords, ownWords } from '#kit/server/choice/built-in-dictionary.ts'
import type { Tx } from '#kit/server/database/database.ts'

/** Any number: instances that start together add each type once. */
const LOCK = 7_283_404

/** Asked at each start: the code relies on these, so what is missing is added; what people changed stays. */
export const keepBuiltInDictionaries = (
  { db, env, catalogue }: Pick<App, 'db' | 'env' | 'catalogue'>,
  now: Date,
): Promise<void> =>
  db.write(async tx => {
    // Whoever starts beside us waits for as long as it takes, which on a busy machine is longer than a call may wait.
    await sql`set local lock_timeout = 0`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
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
