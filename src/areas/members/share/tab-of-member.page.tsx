import { relatedTab } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = relatedTab(resource, {
  order: 47,
  title: 'title',
  by: 'memberId',
  columns: ['poster', 'platform', 'status', 'likeness', 'rewardCoins', 'submittedAt'],
})
