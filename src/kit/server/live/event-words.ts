import type * as z from 'zod'
import { valuesIn } from '#kit/model/field.ts'
import type { App } from '../app.ts'
import { dictionaryKept } from '../change/dictionary-entries.ts'
import { ask } from '../change/question.ts'
import type { Tx } from '../database/database.ts'

/** An event names an entry no dictionary has: once somebody has added it, the event can be tried again. */
export class UnknownWord extends Error {
  override name = 'UnknownWord'
}

/** What a sender names stands in our dictionaries; that an entry is no longer offered here is not the sender's business. */
export async function requireKnownWords(app: App, tx: Tx, schema: z.ZodType, data: unknown): Promise<void> {
  for (const { path, meta, value } of valuesIn(schema, data, 'data')) {
    if (meta.kind !== 'dictionary') continue
    const [entry] = await ask(app, dictionaryKept, { db: tx, codes: [meta.code], values: [String(value)] })
    if (!entry) throw new UnknownWord(`${path}: ${value} is not in the dictionary ${meta.code}`)
  }
}
