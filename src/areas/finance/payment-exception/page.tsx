import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import type { locale } from './locale.ts'
import { resource, workflow } from './model.ts'

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      links={row =>
        [row.orderId, row.proposedOrderId].flatMap((id, at) =>
          id === null || (at === 1 && id === row.orderId)
            ? []
            : [
                {
                  text: `${say('order')} ${(at === 0 ? row.labels.orderId : row.labels.proposedOrderId)?.name}`,
                  path: `/order/list?open=${id}`,
                },
              ],
        )
      }
    />
  )
}
