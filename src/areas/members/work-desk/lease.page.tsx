import { useEffect } from 'react'
import { leftOf } from '#areas/members/work/desk.model.ts'
import { formatInstant } from '#kit/model/time.ts'
import { useMinute } from '#kit/page/field/minute.ts'
import { useTexts } from '#kit/page/language.ts'
import { useToneColours } from '#kit/page/tone.tsx'
import type { locale } from './locale.ts'

/** From here on whoever only looks should know that it goes. */
const SOON_MINUTES = 5

/** Until when a work is held, and how long that is; once it is over the desk is asked what is left. */
export function Lease({ until, onOver }: { until: string; onOver(): void }) {
  const say = useTexts<typeof locale>('members/work-desk')
  const colours = useToneColours()
  const minutes = leftOf(until, useMinute())
  const isOver = minutes === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each end
  useEffect(
    function askOnceOver() {
      if (isOver) onOver()
    },
    [isOver, until],
  )
  return (
    <span role="timer" style={minutes > SOON_MINUTES ? {} : { color: colours.attention.text }}>
      {say('desk.until', { time: formatInstant(new Date(until)).slice(11, 16) })}
      {' · '}
      {isOver ? say('desk.over') : say('desk.left', { minutes })}
    </span>
  )
}
