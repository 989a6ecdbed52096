import { dictionaryKept } from '#kit/server/change/dictionary-entries.ts'
import { answer } from '#kit/server/change/question.ts'
import type { Reading } from '#kit/server/change/rules.ts'

const keptOf = (db: Reading, codes: readonly string[], values: readonly string[] | undefined) =>
  db
    .selectFrom('dictionary_item as i')
    .innerJoin('dictionary_type as t', 't.id', 'i.type_id')
    .select(['t.code', 'i.value', 'i.labels', 'i.colour', 'i.enabled'])
    .where('t.code', 'in', ['', ...codes])
    .$if(values !== undefined, query => query.where('i.value', 'in', values ?? []))
    .orderBy('i.sort')
    .execute()

/** What the kit's selects, sheets and imports know of dictionaries. */
export const answers = [answer(dictionaryKept, (_app, { db, codes, values }) => keptOf(db, codes, values))]
