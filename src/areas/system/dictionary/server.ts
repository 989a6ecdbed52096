import type { App } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { type OwnWords, ownWords } from '#kit/server/choice/built-in-dictionary.ts'
import { wordIn } from '#kit/server/choice/dictionary.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { answers as keptAnswers } from './kept.server.ts'
import { lostOf, refusedItems, refuseLoss } from './losing.server.ts'
import { type DictionaryItem, type DictionaryType, repeatedValue, resource } from './model.ts'

export const routes = serve(resource, {
  async store(op, input, before, write) {
    const lost = before ? await lostOf(op, before.id, input.items) : []
    if (before) await refuseLoss(op, before.code, lost)
    const id = await write(before ? input : { ...input, builtIn: false })
    await storeItems(op, { id, code: before?.code ?? input.code }, input.items, lost)
    return id
  },
  named(app, { name, code }, language) {
    const declared = app.catalogue.dictionaries.get(code)?.name
    return { name: wordIn(app, language, ownWords({ [app.env.DEFAULT_LOCALE]: name }, declared), declared) }
  },
  detail: async (app, type) => ({ items: await itemsOf(app, type) }),
  constraints: {
    dictionary_type_code: { code: 'kit:taken', field: 'code' },
    dictionary_type_built_in: { code: 'built-in' },
  },
})

/** Each entry with all its words: what is declared, unless people here say it otherwise. */
async function itemsOf(app: App, { id, code }: Pick<DictionaryType, 'id' | 'code'>): Promise<DictionaryItem[]> {
  const items = await app.db.query
    .selectFrom('dictionary_item')
    .select(['labels', 'value', 'colour', 'enabled'])
    .where('type_id', '=', id)
    .orderBy('sort')
    .execute()
  const declared = app.catalogue.dictionaries.get(code)?.entries ?? {}
  return items.map(({ labels: own, ...item }) => {
    const { colour: _, ...words } = declared[item.value] ?? {}
    const { [app.env.DEFAULT_LOCALE]: _label, ...labels } = { ...words, ...(own as OwnWords) }
    const label = wordIn(app, app.env.DEFAULT_LOCALE, own as OwnWords, declared[item.value]) ?? item.value
    return { label, labels, ...item }
  })
}

/** The list as it was sent replaces the one before: its order is the order people see. */
async function storeItems(
  op: Operation,
  { id, code }: Pick<DictionaryType, 'id' | 'code'>,
  items: readonly DictionaryItem[],
  lost: readonly string[],
) {
  const twice = repeatedValue(items)
  if (twice !== undefined) throw refusedItems('value-twice', { value: twice })
  // Those that were judged: what comes meanwhile by another way is not taken for deleted.
  await op.tx
    .deleteFrom('dictionary_item')
    .where('type_id', '=', id)
    .where('value', 'in', ['', ...lost])
    .execute()
  const declared = op.app.catalogue.dictionaries.get(code)?.entries ?? {}
  const rows = items.map(({ label, labels, ...item }, sort) => {
    const own = ownWords({ ...labels, [op.app.env.DEFAULT_LOCALE]: label }, declared[item.value])
    return { ...item, labels: JSON.stringify(own), type_id: id, sort }
  })
  if (rows.length === 0) return
  await op.tx
    .insertInto('dictionary_item')
    .values(rows)
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

export const answers = keptAnswers
