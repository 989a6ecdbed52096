import { defineReference } from '#kit/model/resource.ts'

/** Pupils, as other records name them: the phone beside the name comes masked. */
export const reference = defineReference({
  name: 'member',
  table: 'member',
  label: { name: 'name', note: { column: 'phone', personal: 'phone' }, tone: 'level' },
  search: ['name', 'name_pinyin'],
  scope: 'owned',
  pages: ['order-list', 'order-refundApply'],
})
