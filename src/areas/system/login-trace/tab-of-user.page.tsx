import { relatedTab } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = relatedTab(resource, {
  order: 30,
  title: 'related',
  by: 'staffId',
  columns: ['at', 'address', 'result', 'endedAt', 'endReason'],
})
