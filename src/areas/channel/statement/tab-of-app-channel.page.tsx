import { relatedTab } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = relatedTab(resource, {
  order: 10,
  title: 'title',
  by: 'partnerId',
  columns: ['statementNo', 'status', 'counted', 'notCounted', 'adjustedFen', 'totalFen'],
})
