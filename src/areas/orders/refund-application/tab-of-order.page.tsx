import { relatedTab } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = relatedTab(resource, {
  order: 10,
  title: 'related',
  by: 'orderId',
  columns: ['refundNo', 'amountFen', 'status', 'reason', 'applicantId', 'createdAt', 'paidAt'],
})
