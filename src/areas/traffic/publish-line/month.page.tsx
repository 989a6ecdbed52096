import { LeftOutlined, PlusOutlined, RightOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Skeleton, Space, Tooltip, Typography } from 'antd'
import { type ReactNode, useState } from 'react'
import { dayOf } from '#kit/model/time.ts'
import { get } from '#kit/page/call.ts'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { formatCount } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useTab } from '#kit/page/tab.ts'
import { StateTag } from '#kit/page/tone.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { type CalendarDay, monthAfter, resource, STANDINGS, standing, weeksOf } from './model.ts'
import './month.css'

const WEEKDAYS = ['1', '2', '3', '4', '5', '6', '7'] as const
const STATES = ['done', 'short', 'open'] as const

/** A month of publishing: of each day and account how many notes are out of how many were planned. */
export function Month({ choice }: { choice: ReactNode }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const today = dayOf(new Date())
  const [month, turn] = useState(today.slice(0, 7))
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'calendar', month],
    queryFn: ({ signal }) => get<CalendarDay[]>(`/${resource.screen.name}/calendar`, { query: { month }, signal }),
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  const days = Map.groupBy(data ?? [], ({ day }) => day)
  return (
    <section className="ink-month" aria-label={say('look.calendar')}>
      <Flex justify="space-between" align="center" gap={12} wrap>
        <Turning month={month} today={today} onTurn={turn} />
        <Space>
          {STATES.map(stands => (
            <StateTag key={stands} tone={STANDINGS[stands]}>
              {say(`standing.${stands}`)}
            </StateTag>
          ))}
        </Space>
        <Flex gap={8}>
          {choice}
          <AddButton />
        </Flex>
      </Flex>
      {data ? (
        <div className="ink-month-days">
          {WEEKDAYS.map(nth => (
            <div key={nth} className="ink-month-weekday">
              {say(`weekday.${nth}`)}
            </div>
          ))}
          {weeksOf(month).flatMap((week, nth) =>
            week.map((day, at) => (
              <Day
                key={day ?? `${nth}-${at}`}
                day={day}
                today={today}
                lines={day === null ? [] : (days.get(day) ?? [])}
              />
            )),
          )}
        </div>
      ) : (
        <Skeleton active />
      )}
    </section>
  )
}

type TurningProps = { month: string; today: string; onTurn(month: string): void }

function Turning({ month, today, onTurn }: TurningProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const present = today.slice(0, 7)
  return (
    <Flex align="center" gap={8}>
      <Button icon={<LeftOutlined />} aria-label={say('month-before')} onClick={() => onTurn(monthAfter(month, -1))} />
      <Typography.Text strong className="ink-month-name">
        {month}
      </Typography.Text>
      <Button icon={<RightOutlined />} aria-label={say('month-after')} onClick={() => onTurn(monthAfter(month, 1))} />
      <Button disabled={month === present} onClick={() => onTurn(present)}>
        {say('today')}
      </Button>
    </Flex>
  )
}

function AddButton() {
  const kit = useTexts<typeof kitLocale>('kit/page')
  const tab = useTab()
  const mayCreate = useUser(user => mayDo(user, resource.screen.key, 'create'))
  if (!mayCreate) return null
  return (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => tab.change({ create: '1' }, 'push')}>
      {kit('add')}
    </Button>
  )
}

function Day({ day, today, lines }: { day: string | null; today: string; lines: readonly CalendarDay[] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const accounts = useDictionary('XHS_ACCOUNT')
  if (day === null) return <div className="ink-month-none" aria-hidden />
  return (
    <div className={day === today ? 'ink-month-day ink-month-today' : 'ink-month-day'}>
      <span className="ink-month-date">{Number(day.slice(8))}</span>
      {lines.map(({ account, planned, published, hits, leads }) => {
        const name = accounts.find(({ v }) => v === account)?.k ?? account
        const figures = { planned: formatCount(planned), published: formatCount(published) }
        return (
          <Tooltip
            key={account}
            title={say('day-told', { name, ...figures, hits: formatCount(hits), leads: formatCount(leads) })}
          >
            <span>
              <StateTag tone={STANDINGS[standing({ day, planned, published }, today)]}>
                {`${name} ${figures.published}/${figures.planned}`}
              </StateTag>
            </span>
          </Tooltip>
        )
      })}
    </div>
  )
}
