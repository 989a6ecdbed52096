import { sql } from 'kysely'
import type { Tx } from '../database/database.ts'
import type { Declared } from '../declared.ts'
import { spellingOf } from './pinyin.ts'

/** How many names at a time: a change that comes meanwhile does not wait long. */
const AT_ONCE = 1_000

/** Spells the names nobody has spelled: those stored before there were initials, and those other programs write. */
export async function spellNames(tx: Tx, catalogue: Pick<Declared, 'references'>): Promise<void> {
  const spelled = [...catalogue.references.values()].filter(({ search }) => search.includes('name_initials'))
  for (const { table } of spelled) {
    const { rows } = await sql<{ id: string; name: string }>`
      select id, name from ${sql.table(table)} where name_initials is null limit ${AT_ONCE} for update skip locked`.execute(
      tx,
    )
    const spellings = await Promise.all(rows.map(({ name }) => spellingOf(name)))
    await sql`
      update ${sql.table(table)} t set name_pinyin = s.pinyin, name_initials = s.initials
      from unnest(
        ${rows.map(({ id }) => id)}::bigint[],
        ${spellings.map(({ name_pinyin }) => name_pinyin)}::text[],
        ${spellings.map(({ name_initials }) => name_initials)}::text[]
      ) as s (id, pinyin, initials)
      where t.id = s.id`.execute(tx)
  }
}
