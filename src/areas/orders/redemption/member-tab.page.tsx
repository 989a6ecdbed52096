import { defineMemberTab } from '#kit/page/detail/member-tab.ts'
import { RelatedList } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = defineMemberTab({
  order: 41,
  key: resource.screen.key,
  texts: resource.screen.name,
  title: 'title',
  Show: ({ memberId }) => (
    <RelatedList
      resource={resource}
      filter={{ memberId }}
      columns={['redemptionNo', 'batchId', 'last4', 'status', 'createdAt', 'undoneAt']}
    />
  ),
})
