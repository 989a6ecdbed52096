import { Table, Typography } from 'antd'
import { formatYuan } from '#kit/model/money.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type CalculatedLine, resource } from './model.ts'

type Line = Omit<CalculatedLine, 'amountFen' | 'parts'> & Partial<Pick<CalculatedLine, 'amountFen' | 'parts'>>
const FIGURES = [
  ['paidFen', 'calc.paid'],
  ['takenFen', 'calc.taken'],
  ['usedFen', 'calc.used'],
  ['goodsFen', 'calc.goods'],
  ['suggestedFen', 'calc.suggested'],
  ['amountFen', 'calc.amount'],
] as const

/** Paid, less what has gone back, was used and is still out: the way to the suggested amount, line by line. */
export function CalculationTable({ lines }: { lines: readonly Line[] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const isDecided = lines.some(({ amountFen }) => amountFen !== undefined)
  return (
    <Table
      size="small"
      rowKey="lineId"
      pagination={false}
      dataSource={[...lines]}
      scroll={{ x: 'max-content' }}
      columns={[
        { dataIndex: 'name', render: (_, line) => <LineName line={line} /> },
        ...FIGURES.filter(([field]) => field !== 'amountFen' || isDecided).map(([field, title]) => ({
          dataIndex: field,
          title: `${say(title)} (¥)`,
          align: 'right' as const,
          render: (fen: number | undefined) => (fen === undefined ? '–' : formatYuan(fen)),
        })),
      ]}
    />
  )
}

/** A line with what its refund takes back of the member's rights. */
function LineName({ line: { name, inWindow, parts = [] } }: { line: Line }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const taken = parts.filter(({ units, debt }) => units + debt > 0)
  return (
    <>
      {name}
      {inWindow && <Typography.Paragraph type="secondary">{say('calc.window')}</Typography.Paragraph>}
      {taken.map(({ lotId, name: lot, units, debt }) => (
        <div key={lotId}>
          {lot}: {say('calc.units', { units })}
          {debt > 0 && `, ${say('calc.debt', { debt })}`}
        </div>
      ))}
    </>
  )
}
