import { relatedTab } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = relatedTab(resource, {
  order: 60,
  title: 'related',
  by: 'memberId',
  columns: ['title', 'channel', 'status', 'cause', 'createdAt'],
})
