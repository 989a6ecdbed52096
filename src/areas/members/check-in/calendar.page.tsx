import './calendar.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Segmented, Skeleton, Space } from 'antd'
import { useState } from 'react'
import { addDays, dayOf } from '#kit/model/time.ts'
import { get } from '#kit/page/call.ts'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { addMonths, weeksOf } from './calendar.model.ts'
import type { locale } from './locale.ts'
import { type CalendarDay, resource } from './model.ts'
import { currentStreak, longestStreak } from './streak.model.ts'

const MONTHS = 3
const ALL = ''

/** Three months of a pupil's practice at a glance. */
export function Calendar({ memberId }: { memberId: string }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const plans = useDictionary('CHECK_IN_PLAN')
  const today = dayOf(new Date())
  const [last, setLast] = useState(today.slice(0, 7))
  const [plan, setPlan] = useState(ALL)
  const first = addMonths(last, 1 - MONTHS)
  const to = addDays(`${addMonths(last, 1)}-01`, -1)
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'calendar', memberId, last],
    queryFn: ({ signal }) =>
      get<CalendarDay[]>(`/${resource.screen.name}/calendar`, { query: { memberId, from: `${first}-01`, to }, signal }),
    placeholderData: keepPreviousData,
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  const known = [...new Set(data.map(one => one.plan))]
  const shown = data.filter(one => plan === ALL || one.plan === plan)
  const days = [...new Set(shown.filter(({ status }) => status === 'DONE').map(({ day }) => day))].sort()
  const nameOf = (value: string) => plans.find(entry => entry.v === value)?.k ?? value
  return (
    <div className="check-ins">
      <Space size={12} wrap>
        <Button onClick={() => setLast(addMonths(last, -MONTHS))}>{say('calendar.earlier')}</Button>
        <Button disabled={last >= today.slice(0, 7)} onClick={() => setLast(addMonths(last, MONTHS))}>
          {say('calendar.later')}
        </Button>
        {known.length > 1 && (
          <Segmented
            value={known.includes(plan) ? plan : ALL}
            onChange={setPlan}
            options={[ALL, ...known].map(value => ({
              value,
              label: value === ALL ? say('calendar.all') : nameOf(value),
            }))}
          />
        )}
        {last === today.slice(0, 7) && (
          <Told name={say('calendar.current')} value={say('calendar.days', { days: currentStreak(days, today) })} />
        )}
        <Told name={say('calendar.longest')} value={say('calendar.days', { days: longestStreak(days) })} />
      </Space>
      <div className="check-ins-months">
        {Array.from({ length: MONTHS }, (_, at) => addMonths(first, at)).map(month => (
          <Month key={month} month={month} days={shown} today={today} />
        ))}
      </div>
      <Legend />
    </div>
  )
}

const Told = ({ name, value }: { name: string; value: string }) => (
  <span>
    <span className="inkstone-note">{name}</span> <strong>{value}</strong>
  </span>
)

const KINDS = ['done', 'made', 'asked'] as const
type Kind = (typeof KINDS)[number] | 'none'

/** What a day is, where several plans met on it: what was done counts before what was asked for. */
function kindOf(of: readonly CalendarDay[]): Kind {
  if (of.some(({ status, isMakeUp }) => status === 'DONE' && !isMakeUp)) return 'done'
  if (of.some(({ status }) => status === 'DONE')) return 'made'
  return of.length > 0 ? 'asked' : 'none'
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const

/** A table with a name and heads, so that whoever hears it knows the day and what it is. */
function Month({ month, days, today }: { month: string; days: readonly CalendarDay[]; today: string }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const byDay = Map.groupBy(days, ({ day }) => day)
  return (
    <table className="check-ins-month">
      <caption>{month}</caption>
      <thead>
        <tr>
          {WEEKDAYS.map(weekday => (
            <th key={weekday} scope="col">
              {say(`weekday.${weekday}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map(week => (
          <tr key={week.find(day => day !== null)}>
            {week.map((day, at) =>
              day === null ? (
                <td key={`${month} ${WEEKDAYS[at]}`} />
              ) : (
                <Day key={day} day={day} of={byDay.get(day) ?? []} isLater={day > today} />
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Day({ day, of, isLater }: { day: string; of: readonly CalendarDay[]; isLater: boolean }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kind = kindOf(of)
  const streak = Math.max(0, ...of.map(one => one.streak))
  const told =
    streak > 0 ? `${say(`calendar.${kind}`)} · ${say('calendar.days', { days: streak })}` : say(`calendar.${kind}`)
  return (
    <td>
      <span
        className={`check-ins-day check-ins-${isLater ? 'later' : kind}`}
        title={isLater ? undefined : `${day} ${told}`}
      >
        {Number(day.slice(8))}
        {!isLater && kind !== 'none' && <span className="check-ins-said">{told}</span>}
      </span>
    </td>
  )
}

function Legend() {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <Space size={16} wrap>
      {KINDS.map(kind => (
        <Space key={kind} size={6}>
          <span aria-hidden className={`check-ins-day check-ins-${kind}`} />
          <span className="inkstone-note">{say(`calendar.${kind}`)}</span>
        </Space>
      ))}
    </Space>
  )
}
