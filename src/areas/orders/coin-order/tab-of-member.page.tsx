import { relatedTab } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = relatedTab(resource, {
  order: 24,
  title: 'title',
  by: 'memberId',
  columns: ['orderNo', 'goodsName', 'coins', 'cashFen', 'status', 'createdAt'],
})
