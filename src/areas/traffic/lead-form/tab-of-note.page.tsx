import { relatedTab } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = relatedTab(resource, {
  order: 10,
  title: 'related',
  by: 'noteId',
  columns: ['phone', 'kind', 'followStatus', 'callBack', 'ownerId', 'submittedAt'],
})
