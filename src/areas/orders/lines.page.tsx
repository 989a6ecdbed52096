import { Table } from 'antd'
import { formatYuan } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import type { Order, OrderLine } from './order/model.ts'

/** A long name takes two lines rather than the room of the figures. */
const NAME = { width: 'max-content', maxWidth: '14em' }

type Part = Extract<keyof OrderLine, `${string}Fen`>

/** Nothing is a price too. */
const PRICES: readonly Part[] = ['listFen', 'amountFen']

/**
 * What was bought: each line's price by the list, what was agreed for it, and its own part of the money. A part that
 * tells nothing of any line is left out, so that the others stand in sight.
 */
export function Lines({ lines, parts }: Pick<Order, 'lines'> & { parts: readonly Part[] }) {
  const texts = useTexts('orders/order')
  const say = (key: string) => texts(key)
  const shown = parts.filter(part => PRICES.includes(part) || lines.some(line => tellsMore(line, part)))
  return (
    <Table
      size="small"
      rowKey="id"
      pagination={false}
      scroll={{ x: 'max-content' }}
      dataSource={lines}
      columns={[
        { dataIndex: 'productName', title: say('field.productName'), render: name => <div style={NAME}>{name}</div> },
        { dataIndex: 'quantity', title: say('field.quantity'), align: 'right' },
        ...shown.map(part => ({
          dataIndex: part,
          title: `${say(`line.${part}`)} (¥)`,
          align: 'right' as const,
          render: formatYuan,
        })),
      ]}
    />
  )
}

/** Most lines are paid as agreed, and nothing of them is given back. */
const tellsMore = (line: OrderLine, part: Part): boolean => line[part] !== (part === 'paidFen' ? line.amountFen : 0)
