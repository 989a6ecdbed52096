import { useQuery } from '@tanstack/react-query'
import { area as orders } from '#areas/orders/area.ts'
import type { Screen } from '#kit/model/area.ts'
import { get } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import { REFUND_NOTICES } from '#kit/page/shell/live/push-notice.ts'
import { showOverlay } from '#kit/page/shell/overlay.ts'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { NAME, Part } from './part.page.tsx'

const { order, 'refund-application': refund } = orders.screens
/** Refund notices are the work of whoever redeems the platform's codes (docs/decisions/003-refund-notices.md). */
const NOTICE_PAGE = 'dy-code'

/** What waits for this person: a card leads to the rows it counts. */
export function ToDo() {
  const say = useTexts<typeof locale>(NAME)
  const tab = useTab()
  const user = useUser()
  const seesOrders = mayDo(user, order.key, 'list')
  const decides = mayDo(user, refund.key, 'approve')
  const answers = mayDo(user, NOTICE_PAGE, 'list')
  const toDecide = useCount(refund, decides, 'SUBMITTED')
  const toExamine = useCount(order, seesOrders, 'EXAMINING')
  const unpaid = useCount(order, seesOrders, 'UNPAID')
  const notices = useQuery({
    queryKey: [REFUND_NOTICES, 'count'],
    queryFn: ({ signal }) => get<{ total: number }>('/message/web/count', { signal }),
    enabled: answers,
  })
  return (
    <Part title={say('todo')}>
      <div className="bench-cards">
        {decides && (
          <Card
            title={say('todo.refunds')}
            count={toDecide}
            isUrgent
            onOpen={() => tab.open(`${refund.route}?status=SUBMITTED`)}
          />
        )}
        {answers && (
          <Card
            title={say('todo.notices')}
            count={notices.data?.total}
            isUrgent
            onOpen={() => showOverlay('messages')}
          />
        )}
        {seesOrders && (
          <Card
            title={say('todo.examine')}
            count={toExamine}
            isUrgent
            onOpen={() => tab.open(`${order.route}?payState=EXAMINING`)}
          />
        )}
        {seesOrders && (
          <Card title={say('todo.unpaid')} count={unpaid} onOpen={() => tab.open(`${order.route}?payState=UNPAID`)} />
        )}
        {!seesOrders && !decides && !answers && <p className="bench-quiet">{say('todo-empty')}</p>}
      </div>
    </Part>
  )
}

/** How many rows of a list are in a state, from the counts of its tabs: a push that refreshes the list refreshes this. */
function useCount(screen: Screen, isWanted: boolean, state: string): number | undefined {
  const { data } = useQuery({
    queryKey: [screen.name, 'counts'],
    queryFn: ({ signal }) => get<Record<string, number>>(`/${screen.name}/counts`, { signal }),
    enabled: isWanted,
  })
  return data && (data[state] ?? 0)
}

type CardProps = { title: string; count: number | undefined; isUrgent?: boolean; onOpen(): void }

function Card({ title, count, isUrgent = false, onOpen }: CardProps) {
  return (
    <button type="button" className="bench-card" onClick={onOpen}>
      <span>{title}</span>
      <strong className={isUrgent && count ? 'bench-urgent' : ''}>{count ?? '–'}</strong>
    </button>
  )
}
