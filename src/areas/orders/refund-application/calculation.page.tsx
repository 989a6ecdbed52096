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
const FIGURES = [
  ['paidFen', 'calc.paid'],
  ['takenFen', 'calc.taken'],
  ['usedFen', 'calc.used'],
  ['goodsFen', 'calc.goods'],
  ['suggestedFen', 'calc.suggested'],
  ['amountFen', 'calc.amount'],
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
  const figures = FIGURES.filter(([field]) => line[field] !== undefined)
  return (
    <>
      <LineName line={line} windowDays={windowDays} />
      <FigureList figures={figures.map(([field, title]) => [`${say(title)} (¥)`, formatYuan(line[field] ?? 0)])} />
    </>
  )
}

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
      {parts && <Parts parts={parts} />}
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
  return parts
    .filter(({ units, debt }) => units + debt > 0)
    .map(({ lotId, kind, name: lot, units, debt }) => (
      <div key={lotId}>
        {lot}: {say('calc.units', { units: amount(kind, units) })}
        {debt > 0 && (
          <Typography.Text type="warning">
            {say('list-mark')}
            {say('calc.debt', { debt: amount(kind, debt) })}
          </Typography.Text>
        )}
      </div>
    ))
}

/** What an amount takes back, asked for or not yet: days, coins, coupons, and goods that have not left. */
export function Taken({ lines }: { lines: readonly CalculatedLine[] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const isAny = lines.some(
    ({ parts, unsent }) => unsent === 'CANCEL' || parts.some(({ units, debt }) => units + debt > 0),
  )
  if (!isAny) return <Typography.Text type="secondary">{say('takes-nothing')}</Typography.Text>
  return (
    <div>
      <strong>{say('takes-title')}</strong>
      {lines.map(line => (
        <Fragment key={line.lineId}>
          <Parts parts={line.parts} />
          <Unsent line={line} />
        </Fragment>
      ))}
    </div>
  )
}
