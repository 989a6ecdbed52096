import { Alert, Space, Typography } from 'antd'
import { daysBetween, daysLeft } from '#engines/entitlement/model.ts'
import type { RowOf } from '#kit/model/resource.ts'
import { dayOf } from '#kit/model/time.ts'
import { Figure } from '#kit/page/field/figure.tsx'
import { formatCount, formatFen } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

type MemberRow = RowOf<typeof resource>

/** What somebody who calls should know first. */
export function MemberHead({ row: { status, coins, risks } }: { row: MemberRow }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { openRefunds: count, openRefundFen } = risks
  const told = [
    ...(status === 'FROZEN' ? [say('frozen-told')] : []),
    ...(coins < 0 ? [say('coins-debt-told', { coins: formatCount(-coins) })] : []),
    ...(count > 0 ? [say('open-refunds', { count, amount: formatFen(openRefundFen) })] : []),
  ]
  if (told.length === 0) return null
  return (
    <Space orientation="vertical" style={{ width: '100%', marginBottom: 16 }}>
      {told.map(text => (
        <Alert key={text} type="warning" showIcon title={text} />
      ))}
    </Space>
  )
}

/** The last day, and in a detail how near it is. */
export function MembershipEnd({ day }: { day: string }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const today = dayOf(new Date())
  const left = daysLeft({ startsOn: today, endsOn: day }, today)
  return (
    <Space size={6}>
      {day}
      <span className="inkstone-note inkstone-told">
        {left === 0 ? say('ended-ago', { days: daysBetween(day, today) }) : say('ends-in', { days: left })}
      </span>
    </Space>
  )
}

/** Coins spent before they were taken back are a debt, in words and in red. */
export function Coins({ coins }: { coins: number }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (coins < 0)
    return <Typography.Text type="danger">{say('coins-debt', { coins: formatCount(-coins) })}</Typography.Text>
  return <Figure>{formatCount(coins)}</Figure>
}
