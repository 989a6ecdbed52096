import { relatedTab } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = relatedTab(resource, {
  order: 15,
  title: 'title',
  by: 'partnerId',
  columns: ['orderId', 'entry', 'paidFen', 'refundedFen', 'commissionFen', 'statementId'],
})
