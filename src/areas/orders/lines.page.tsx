import { Table } from 'antd'
import { formatYuan } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import type { Order, OrderLine } from './order/model.ts'

type Part = Extract<keyof OrderLine, `${string}Fen`>

/** What was bought: each line's price by the list, what was agreed for it, and its own part of the money. */
export function Lines({ lines, parts }: Pick<Order, 'lines'> & { parts: readonly Part[] }) {
  const texts = useTexts('orders/order')
  const say = (key: string) => texts(key)
  return (
    <Table
      size="small"
      rowKey="id"
      pagination={false}
      scroll={{ x: 'max-content' }}
      dataSource={lines}
      columns={[
        { dataIndex: 'productName', title: say('field.productName') },
        { dataIndex: 'quantity', title: say('field.quantity'), align: 'right' },
        ...parts.map(part => ({
          dataIndex: part,
          title: `${say(`line.${part}`)} (¥)`,
          align: 'right' as const,
          render: formatYuan,
        })),
      ]}
    />
  )
}
