import { useQuery } from '@tanstack/react-query'
import { area as logistics } from '#areas/logistics/area.ts'
import { area as orders } from '#areas/orders/area.ts'
import { area as products } from '#areas/products/area.ts'
import type { Screen } from '#kit/model/area.ts'
import type { KeyOf } from '#kit/model/language.ts'
import { formatCount } from '#kit/model/money.ts'
import { get } from '#kit/page/call.ts'
import { MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { REFUND_NOTICES } from '#kit/page/shell/live/push-notice.ts'
import { showOverlay } from '#kit/page/shell/overlay.ts'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { NAME, Part } from './part.page.tsx'

/** Refund notices are the work of whoever redeems the platform's codes (docs/decisions/003-refund-notices.md). */
const NOTICE_PAGE = 'dy-code'

/** Rows that wait for whoever may take this step. */
type Waiting = {
  readonly title: KeyOf<typeof locale>
  readonly screen: Screen
  readonly action: string
  /** The field of the list's tabs, and the states that wait. */
  readonly field: string
  readonly states: readonly string[]
}

const refund = orders.screens['refund-application']
const WAITING: readonly Waiting[] = [
  { title: 'todo.refunds', screen: refund, action: 'approve', field: 'status', states: ['SUBMITTED'] },
  { title: 'todo.refunds-finance', screen: refund, action: 'approveL2', field: 'status', states: ['L1_APPROVED'] },
  { title: 'todo.refunds-pay', screen: refund, action: 'pay', field: 'status', states: ['L1_APPROVED', 'L2_APPROVED'] },
  { title: 'todo.refunds-failed', screen: refund, action: 'retry', field: 'status', states: ['FAILED', 'ABNORMAL'] },
  {
    title: 'todo.examine',
    screen: orders.screens.examination,
    action: 'approve',
    field: 'status',
    states: ['WAITING'],
  },
  {
    title: 'todo.browse',
    screen: orders.screens['browse-record'],
    action: 'contacted',
    field: 'status',
    states: ['OPEN'],
  },
  {
    title: 'todo.coin-orders',
    screen: orders.screens['coin-order'],
    action: 'approve',
    field: 'status',
    states: ['WAITING'],
  },
  {
    title: 'todo.sends-approve',
    screen: logistics.screens['shipment-approval'],
    action: 'approve',
    field: 'status',
    states: ['TO_APPROVE'],
  },
  { title: 'todo.sends', screen: logistics.screens.shipment, action: 'send', field: 'status', states: ['WAITING'] },
  {
    title: 'todo.batches',
    screen: products.screens['code-batch'],
    action: 'approve',
    field: 'status',
    states: ['DRAFT'],
  },
]

/** What waits for this person: a card leads to the rows it counts. */
export function ToDo() {
  const say = useTexts<typeof locale>(NAME)
  const user = useUser()
  const mine = WAITING.filter(({ screen, action }) => mayDo(user, screen.key, action))
  const answers = mayDo(user, NOTICE_PAGE, 'list')
  const notices = useQuery({
    queryKey: [REFUND_NOTICES, 'count'],
    queryFn: ({ signal }) => get<{ total: number }>('/message/web/count', { signal }),
    enabled: answers,
  })
  return (
    <Part title={say('todo')}>
      <div className="bench-cards">
        {mine.map(waiting => (
          <WaitingCard key={waiting.title} waiting={waiting} />
        ))}
        {answers && (
          <Card title={say('todo.notices')} count={notices.data?.total} onOpen={() => showOverlay('messages')} />
        )}
        {mine.length === 0 && !answers && <p className="bench-quiet">{say('todo-empty')}</p>}
      </div>
    </Part>
  )
}

function WaitingCard({ waiting: { title, screen, field, states } }: { waiting: Waiting }) {
  const say = useTexts<typeof locale>(NAME)
  const tab = useTab()
  const filter = states.map(state => `${field}=${state}`).join('&')
  return (
    <Card title={say(title)} count={useCount(screen, states)} onOpen={() => tab.open(`${screen.route}?${filter}`)} />
  )
}

/** How many rows of a list are in these states, from the counts of its tabs: a push that refreshes the list refreshes this. */
function useCount(screen: Screen, states: readonly string[]): number | undefined {
  const { data } = useQuery({
    queryKey: [screen.name, 'counts'],
    queryFn: ({ signal }) => get<Record<string, number>>(`/${screen.name}/counts`, { signal }),
  })
  return data && states.reduce((sum, state) => sum + (data[state] ?? 0), 0)
}

type CardProps = { title: string; count: number | undefined; onOpen(): void }

function Card({ title, count, onOpen }: CardProps) {
  return (
    <button type="button" className="bench-card" onClick={onOpen}>
      <span>{title}</span>
      <strong className={count ? 'bench-urgent' : ''}>{count === undefined ? MISSING : formatCount(count)}</strong>
    </button>
  )
}
