import { relatedTab } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = relatedTab(resource, {
  order: 30,
  title: 'related',
  by: 'memberId',
  columns: ['shipmentNo', 'goodsName', 'status', 'carrier', 'trackingNo', 'trackingStatus', 'sentAt', 'orderId'],
})
