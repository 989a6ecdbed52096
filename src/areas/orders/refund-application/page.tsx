import { Space, Statistic } from 'antd'
import { formatYuan } from '#kit/model/money.ts'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import type { locale } from './locale.ts'
import { type RefundApplication, resource, workflow } from './model.ts'

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      shows={{ money: (row: RefundApplication) => <OrderMoney {...row.money} /> }}
      links={row => [{ text: row.labels.orderId?.name ?? '', path: `/order/list?open=${row.orderId}` }]}
    />
  )
}

/** What whoever decides wants to see at a glance: what came in, what has gone back, what is already asked for. */
function OrderMoney({ paidFen, reservedFen, refundedFen }: RefundApplication['money']) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <Space size={32}>
      <Statistic title={say('paid')} value={formatYuan(paidFen)} prefix="¥" />
      <Statistic title={say('refunded')} value={formatYuan(refundedFen)} prefix="¥" />
      <Statistic title={say('reserved')} value={formatYuan(reservedFen)} prefix="¥" />
    </Space>
  )
}
