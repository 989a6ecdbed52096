import { relatedTab } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = relatedTab(resource, {
  order: 21,
  title: 'related',
  by: 'orderId',
  columns: ['shipmentNo', 'goodsName', 'status', 'waitsForStock', 'createdAt'],
})
