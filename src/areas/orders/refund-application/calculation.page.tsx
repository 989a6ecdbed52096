import { Space, Typography } from 'antd'
import { Fragment } from 'react'
import type { locale as entitlement } from '#engines/entitlement/locale.ts'
import { FigureList } from '#kit/page/field/figure.tsx'
import { formatFen, formatYuan } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import type { CalculatedLine, SuggestedLine } from './calculation.model.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

type Line = SuggestedLine & Partial<Pick<CalculatedLine, 'amountFen' | 'parts'>>
/** In the order they are reckoned in, with what is done with each. */
const FIGURES = [
  ['paidFen', 'calc.paid', ''],
  ['takenFen', 'calc.taken', '− '],
  ['usedFen', 'calc.used', '− '],
  ['goodsFen', 'calc.goods', '− '],
  ['suggestedFen', 'calc.suggested', '= '],
  ['amountFen', 'calc.amount', ''],
] as const

/** How many days after payment little use was not deducted; nothing where that was not kept. */
type Window = { readonly windowDays: number | undefined }

/** Paid, less what has gone back, was used and is still out: the way to the suggested amount, line by line. */
export function Calculation({ lines, windowDays }: { lines: readonly Line[] } & Window) {
  return (
    <Space orientation="vertical" style={{ width: '100%' }}>
      {lines.map(line => (
        <LineFigures key={line.lineId} line={line} windowDays={windowDays} />
      ))}
    </Space>
  )
}

function LineFigures({ line, windowDays }: { line: Line } & Window) {
  const say = useTexts<typeof locale>(resource.screen.name)
  // Nothing taken off is no part of the sum.
  const figures = FIGURES.filter(([field, , sign]) => (sign === '− ' ? line[field] !== 0 : line[field] !== undefined))
  const figure = (field: (typeof FIGURES)[number][0], sign: string) => {
    const yuan = formatYuan(line[field] ?? 0)
    if (field === 'usedFen' && line.inWindow) return <Typography.Text type="secondary">{yuan}</Typography.Text>
    return field === 'suggestedFen' && !isSum(line) ? yuan : `${sign}${yuan}`
  }
  return (
    <>
      <LineName line={line} windowDays={windowDays} />
      <FigureList figures={figures.map(([field, title, sign]) => [`${say(title)} (¥)`, figure(field, sign)])} />
    </>
  )
}

/** Where more was used than is left, nothing should go back: that is no sum of what stands before it. */
const isSum = ({ paidFen, takenFen, usedFen, goodsFen, suggestedFen, inWindow }: Line): boolean =>
  suggestedFen === paidFen - takenFen - goodsFen - (inWindow ? 0 : usedFen)

function LineName({ line, windowDays }: { line: Line } & Window) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { name, inWindow, parts } = line
  return (
    <div>
      <strong>{name}</strong>
      {inWindow && (
        <Typography.Paragraph type="secondary">
          {windowDays === undefined ? say('calc.window-then') : say('calc.window', { days: windowDays })}
        </Typography.Paragraph>
      )}
      <Unsent line={line} />
      {parts && <Parts parts={parts.filter(part => isTaken(part) || part.usedUnits > 0)} />}
    </div>
  )
}

function Unsent({ line: { unsent, unsentPieces, unsentFen } }: { line: Line }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (!unsent) return null
  return <div>{say(`calc.unsent.${unsent}`, { pieces: unsentPieces, amount: formatFen(unsentFen) })}</div>
}

function Parts({ parts }: Pick<CalculatedLine, 'parts'>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const held = useTexts<typeof entitlement>('engines/entitlement')
  const amount = (kind: string, count: number) => held(`amount.${kind}` as 'amount.COINS', { count })
  return parts.map(({ lotId, kind, name: lot, usedUnits, totalUnits, units, debt }) => {
    const told = [
      ...(usedUnits > 0 ? [say('calc.use', { used: amount(kind, usedUnits), total: amount(kind, totalUnits) })] : []),
      ...(units + debt > 0 ? [say('calc.units', { units: amount(kind, units) })] : []),
    ]
    return (
      <div key={lotId}>
        {lot}: {told.join(say('list-mark'))}
        {debt > 0 && (
          <Typography.Text type="warning">
            {say('list-mark')}
            {say('calc.debt', { debt: amount(kind, debt) })}
          </Typography.Text>
        )}
      </div>
    )
  })
}

const isTaken = ({ units, debt }: CalculatedLine['parts'][number]): boolean => units + debt > 0

/** What an amount takes back, asked for or not yet: days, coins, coupons, and goods that have not left. */
export function Taken({ lines }: { lines: readonly CalculatedLine[] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const isAny = lines.some(({ parts, unsent }) => unsent === 'CANCEL' || parts.some(isTaken))
  if (!isAny) return <Typography.Text type="secondary">{say('takes-nothing')}</Typography.Text>
  return (
    <div>
      <strong>{say('takes-title')}</strong>
      {lines.map(line => (
        <Fragment key={line.lineId}>
          <Parts parts={line.parts.filter(isTaken)} />
          <Unsent line={line} />
        </Fragment>
      ))}
    </div>
  )
}
