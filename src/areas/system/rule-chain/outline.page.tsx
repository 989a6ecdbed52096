import { Space, Tag, Typography } from 'antd'
import type { DataNode } from 'antd/es/tree'
import type { Arguments, Expression, Tree } from '#engines/rule/tree.model.ts'

/** How a chain is built: what stands in what, by the words that hold it. */
export function outlineOf({ statements }: Tree): DataNode[] {
  return statements.map(({ target, value }, place) => nodeOf(value, String(place), target && `${target.name} =`))
}

function nodeOf(expression: Expression, key: string, before?: string): DataNode {
  const { kind, name, args, chained } = expression
  const plain = chained.filter(({ args: { items } }) => items.every(isLiteral))
  const holding = chained.filter(word => !plain.includes(word))
  const own = kind === 'call' ? nodesOf(args, key) : []
  return {
    key,
    title: (
      <Space size={4} wrap>
        {before && <Typography.Text type="secondary">{before}</Typography.Text>}
        <Typography.Text strong={kind === 'call'}>{name}</Typography.Text>
        {plain.map(word => (
          <Tag key={word.start}>{`${word.name} ${word.args.items.map(item => item.name).join(', ')}`}</Tag>
        ))}
      </Space>
    ),
    children: [
      ...own,
      ...holding.map((word, place) => ({
        key: `${key}.${place}`,
        title: <Typography.Text type="secondary">{word.name}</Typography.Text>,
        children: nodesOf(word.args, `${key}.${place}`),
      })),
    ],
  }
}

const nodesOf = ({ items }: Arguments, key: string): DataNode[] =>
  items.map((item, place) => nodeOf(item, `${key}-${place}`))
const isLiteral = ({ kind, name }: Expression): boolean =>
  kind === 'text' || kind === 'number' || name === 'true' || name === 'false'
