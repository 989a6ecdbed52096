import { relatedTab } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = relatedTab(resource, {
  order: 48,
  title: 'title',
  by: 'memberId',
  columns: ['title', 'status', 'dueOn', 'rewardCoins', 'earnedCoins', 'submittedAt'],
})
