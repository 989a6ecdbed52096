import { defineMemberTab } from '#kit/page/detail/member-tab.ts'
import { RelatedList } from '#kit/page/detail/related-list.tsx'
import { resource } from './model.ts'

export const tab = defineMemberTab({
  order: 30,
  key: resource.screen.key,
  texts: resource.screen.name,
  title: 'member-tab',
  Show: ({ memberId }) => (
    <RelatedList
      resource={resource}
      filter={{ memberId }}
      columns={['shipmentNo', 'goodsName', 'status', 'carrier', 'trackingNo', 'trackingStatus', 'sentAt', 'orderId']}
    />
  ),
})
