import { Descriptions, Space, Typography } from 'antd'
import { formatYuan } from '#kit/model/money.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type CalculatedLine, resource, type SuggestedLine } from './model.ts'

type Line = SuggestedLine & Partial<Pick<CalculatedLine, 'amountFen' | 'parts'>>
const FIGURES = [
  ['paidFen', 'calc.paid'],
  ['takenFen', 'calc.taken'],
  ['usedFen', 'calc.used'],
  ['goodsFen', 'calc.goods'],
  ['suggestedFen', 'calc.suggested'],
  ['amountFen', 'calc.amount'],
] as const

/** Paid, less what has gone back, was used and is still out: the way to the suggested amount, line by line. */
export function Calculation({ lines }: { lines: readonly Line[] }) {
  return (
    <Space orientation="vertical" style={{ width: '100%' }}>
      {lines.map(line => (
        <LineFigures key={line.lineId} line={line} />
      ))}
    </Space>
  )
}

function LineFigures({ line }: { line: Line }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const figures = FIGURES.filter(([field]) => line[field] !== undefined)
  return (
    <>
      <LineName line={line} />
      <Descriptions
        size="small"
        column={{ xs: 1, sm: 2, md: 3 }}
        items={figures.map(([field, title], index) => ({
          key: field,
          label: `${say(title)} (¥)`,
          span: index === figures.length - 1 ? 'filled' : 1,
          children: formatYuan(line[field] ?? 0),
        }))}
      />
    </>
  )
}

/** A line with what its refund takes back of the member's rights. */
function LineName({ line: { name, inWindow, parts = [] } }: { line: Line }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const taken = parts.filter(({ units, debt }) => units + debt > 0)
  return (
    <div>
      <strong>{name}</strong>
      {inWindow && <Typography.Paragraph type="secondary">{say('calc.window')}</Typography.Paragraph>}
      {taken.map(({ lotId, name: lot, units, debt }) => (
        <div key={lotId}>
          {lot}: {say('calc.units', { units })}
          {debt > 0 && `, ${say('calc.debt', { debt })}`}
        </div>
      ))}
    </div>
  )
}
