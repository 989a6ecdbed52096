import { relatedTab } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = relatedTab(resource, {
  order: 20,
  title: 'related',
  by: 'memberId',
  columns: ['refundNo', 'orderId', 'amountFen', 'status', 'reason', 'createdAt', 'paidAt'],
})
