import { relatedTab } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = relatedTab(resource, {
  order: 5,
  title: 'title',
  by: 'partnerId',
  columns: ['kind', 'status', 'priceFen', 'sharePermille', 'validFrom', 'validTo'],
})
