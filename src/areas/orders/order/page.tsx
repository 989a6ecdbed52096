import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { refundableFen, resource, workflow } from './model.ts'

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const mayAsk = useUser(user => mayDo(user, 'order-refundApply', 'create'))
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      links={order =>
        mayAsk && order.payState === 'PAID' && refundableFen(order) > 0
          ? [{ text: say('ask-refund'), path: `/order/refundApply?create=1&with.orderId=${order.id}` }]
          : []
      }
    />
  )
}
