import { defineReference } from '#kit/model/resource.ts'

/** Colleagues, as other records name them. */
export const reference = defineReference({
  name: 'staff',
  table: 'staff',
  label: { name: 'name', note: { column: 'account', personal: null }, tone: 'status' },
  offered: { column: 'status', values: ['ENABLED'] },
  search: ['name', 'name_pinyin', 'name_initials', 'account'],
  scope: 'shared',
})
