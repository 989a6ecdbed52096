import { relatedTab } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = relatedTab(resource, {
  order: 40,
  title: 'related',
  by: 'orderId',
  columns: ['partnerId', 'entry', 'kind', 'commissionFen', 'statementId'],
})
