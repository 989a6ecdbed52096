import { relatedTab } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = relatedTab(resource, {
  order: 41,
  title: 'tab.member',
  by: 'memberId',
  columns: ['picture', 'lesson', 'kind', 'status', 'score', 'submittedAt', 'no'],
})
