import { Table } from 'antd'
import { formatYuan } from '#kit/model/money.ts'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { type Order, refundableFen, resource, workflow } from './model.ts'

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const mayAsk = useUser(user => mayDo(user, 'order-refundApply', 'create'))
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      shows={{ lines: (order: Order) => <Lines lines={order.lines} /> }}
      links={order =>
        mayAsk && order.payState === 'PAID' && refundableFen(order) > 0
          ? [{ text: say('ask-refund'), path: `/order/refundApply?create=1&with.orderId=${order.id}` }]
          : []
      }
    />
  )
}

/** What was bought, and each line's own part of the money. */
function Lines({ lines }: Pick<Order, 'lines'>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const money = (dataIndex: 'listFen' | 'paidFen' | 'reservedFen' | 'refundedFen', title: string) => ({
    dataIndex,
    title: `${title} (¥)`,
    align: 'right' as const,
    render: formatYuan,
  })
  return (
    <Table
      size="small"
      rowKey="id"
      pagination={false}
      dataSource={lines}
      columns={[
        { dataIndex: 'productName', title: say('field.productName') },
        { dataIndex: 'quantity', title: say('field.quantity'), align: 'right' },
        money('listFen', say('line.list')),
        money('paidFen', say('line.paid')),
        money('reservedFen', say('line.open')),
        money('refundedFen', say('line.used')),
      ]}
    />
  )
}
