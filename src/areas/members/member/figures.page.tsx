import { Space } from 'antd'
import { daysBetween, daysLeft } from '#engines/entitlement/model.ts'
import { dayOf } from '#kit/model/time.ts'
import { Figure } from '#kit/page/field/figure.tsx'
import { formatCount } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type Member, resource } from './model.ts'

/** The last day, and in a detail how near it is. */
export function MembershipEnd({ day, pause }: { day: string; pause?: Member['pause'] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const today = dayOf(new Date())
  // Lists do not know of a pause, nor do they tell this.
  const pauses = pause ? [{ startsOn: pause.from, endsOn: pause.until }] : []
  const left = daysLeft({ startsOn: today, endsOn: day }, today, pauses)
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
  if (coins < 0) return <span className="inkstone-danger">{say('coins-debt', { coins: formatCount(-coins) })}</span>
  return <Figure>{formatCount(coins)}</Figure>
}
