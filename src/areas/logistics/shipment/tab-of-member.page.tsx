import { relatedTab } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = relatedTab(resource, {
  order: 31,
  title: 'related',
  by: 'memberId',
  columns: ['shipmentNo', 'goodsName', 'status', 'waitsForStock', 'source', 'createdAt', 'orderId'],
})
