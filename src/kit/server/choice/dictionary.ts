import * as z from 'zod'
import { kvListName } from '#kit/model/contract.ts'
import { columnOf, fieldMeta } from '#kit/model/field.ts'
import { LANGUAGES, type Language } from '#kit/model/language.ts'
import type { App } from '../app.ts'
import { dictionaryKept } from '../change/dictionary-entries.ts'
import type { Operation } from '../change/operation.ts'
import { ask } from '../change/question.ts'
import { run } from '../database/database.ts'
import { type Route, route } from '../http/route.ts'
import type { OwnWords, Words } from './built-in-dictionary.ts'

const MAX_TARGETS = 50

type Speaker = Pick<App, 'env' | 'texts'>

/** The entries of these dictionaries in their order, called as in this language: what selects offer and exports write. */
export async function dictionaryEntries(app: App, codes: readonly string[], language: Language) {
  const entries = await storedEntries(app, codes)
  return entries.map(({ own, declared, ...entry }) => ({
    ...entry,
    k: wordIn(app, language, own, declared) ?? entry.v,
  }))
}

/** Everything each entry of these dictionaries is called, whatever language somebody wrote a file in. */
export async function wordsOfEntries(app: App, codes: readonly string[]) {
  const entries = await storedEntries(app, codes)
  return entries.map(({ code, v, enabled, own, declared }) => {
    const said = LANGUAGES.flatMap(language => [
      wordIn(app, language, own, declared),
      wordIn(app, language, {}, declared),
    ])
    return { code, v, enabled, words: [v, ...said.filter(word => word !== undefined)] }
  })
}

async function storedEntries(app: App, codes: readonly string[]) {
  const entries = await ask(app, dictionaryKept, { db: app.db.query, codes })
  return entries.map(({ value: v, labels, ...entry }) => ({
    ...entry,
    v,
    own: labels as OwnWords,
    declared: app.catalogue.dictionaries.get(entry.code)?.entries[v],
  }))
}

/** As people here say it, else as it is declared, else as it is called in the language of the house, or in any. */
export function wordIn(
  { env, texts }: Speaker,
  language: Language,
  own: OwnWords,
  declared?: Words,
): string | undefined {
  const traditional = (word: string | undefined) => (word === undefined ? word : texts.traditional(word))
  const spoken = (words: OwnWords) =>
    words[language] ?? (language === 'zh-TW' ? traditional(words['zh-CN']) : undefined)
  return spoken(own) ?? (declared && spoken(declared)) ?? own[env.DEFAULT_LOCALE] ?? Object.values(own)[0]
}

/** The first of these values of a dictionary that records still hold, and how many do. */
export async function findUse(op: Operation, code: string, values: readonly string[]) {
  for (const { resource } of op.app.catalogue.slices) {
    for (const [field, schema] of Object.entries(resource?.record.shape ?? {})) {
      const meta = fieldMeta(schema)
      if (!resource || (meta.kind !== 'dictionary' && meta.kind !== 'tags') || meta.code !== code) continue
      const column = columnOf(field)
      const isList = meta.kind === 'tags'
      const from = isList ? `${resource.table}, unnest(${column}) value` : resource.table
      const value = isList ? 'value' : column
      const [used] = await run(
        op.tx,
        `select ${value} as value, count(*)::int as count from ${from} where ${value} = any($1) group by 1 limit 1`,
        [values],
      )
      if (used) return { value: String(used.value), count: Number(used.count) }
    }
  }
}

const entry = z.strictObject({ k: z.string(), v: z.string(), colour: z.string().nullable(), enabled: z.boolean() })

/** Spec §7: dictionaries by code. Only type D: its ancestor's type T would read any table. */
export const dictionaryRoutes = (app: App): Route[] => [
  route({
    method: 'POST',
    path: '/common/attachMore',
    reads: true,
    access: 'session',
    body: z.array(z.strictObject({ type: z.literal('D'), target: z.string().min(1).max(50) })).max(MAX_TARGETS),
    answer: z.record(z.string(), z.array(entry)),
    summary: 'Entries of dictionaries, by code; an unknown code has none.',
    async handle({ language }, { body }) {
      const targets = body.map(({ target }) => target)
      const rows = await dictionaryEntries(app, targets, language)
      const of = (target: string) => rows.filter(({ code }) => code === target).map(({ code: _, ...shown }) => shown)
      return Object.fromEntries(targets.map(target => [kvListName(target), of(target)]))
    },
  }),
]
