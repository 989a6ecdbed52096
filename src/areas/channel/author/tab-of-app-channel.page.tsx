import { relatedTab } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = relatedTab(resource, {
  order: 20,
  title: 'title',
  by: 'partnerId',
  columns: ['name', 'platform', 'account', 'followers', 'postFen'],
})
