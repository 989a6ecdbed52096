import { relatedTab } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = relatedTab(resource, {
  order: 25,
  title: 'related',
  by: 'memberId',
  columns: ['redemptionNo', 'batchId', 'last4', 'status', 'createdAt', 'undoneAt'],
})
