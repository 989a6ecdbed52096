import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { findUse } from '#kit/server/dictionary.ts'
import type { Operation } from '#kit/server/operation.ts'
import { serve } from '#kit/server/serve.ts'
import { type DictionaryItem, repeatedValue, resource } from './model.ts'

export const routes = serve(resource, {
  async store(op, input, before, write) {
    if (before) await refuseLoss(op, before.id, before.code, input.items)
    const id = await write(before ? input : { ...input, builtIn: false })
    await storeItems(op, id, input.items)
    return id
  },
  detail: async (app, { id }) => ({ items: await itemsOf(app, id) }),
  constraints: {
    dictionary_type_code: { code: 'kit:taken', field: 'code' },
    dictionary_type_built_in: { code: 'built-in' },
  },
})

/** An entry that records still hold stays: without it they would show a bare code. */
async function refuseLoss(op: Operation, id: string, code: string, items: readonly DictionaryItem[]) {
  const stored = await op.tx.selectFrom('dictionary_item').select('value').where('type_id', '=', id).execute()
  const lost = stored.map(({ value }) => value).filter(value => !items.some(item => item.value === value))
  const use = lost.length > 0 ? await findUse(op, code, lost) : undefined
  if (!use) return
  const refusal = refuse('value-in-use', use)
  throw new Refused(refusal, 'validation', { fields: { items: refusal } })
}

const itemsOf = (app: App, typeId: string) =>
  app.db.query
    .selectFrom('dictionary_item')
    .select(['label', 'value', 'colour', 'enabled'])
    .where('type_id', '=', typeId)
    .orderBy('sort')
    .execute()

/** The list as it was sent replaces the one before: its order is the order people see. */
async function storeItems(op: Operation, typeId: string, items: readonly DictionaryItem[]) {
  const twice = repeatedValue(items)
  if (twice !== undefined) {
    const refusal = refuse('value-twice', { value: twice })
    throw new Refused(refusal, 'validation', { fields: { items: refusal } })
  }
  await op.tx.deleteFrom('dictionary_item').where('type_id', '=', typeId).execute()
  if (items.length === 0) return
  await op.tx
    .insertInto('dictionary_item')
    .values(items.map((item, sort) => ({ ...item, type_id: typeId, sort })))
    .execute()
}
