import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { area as orders } from '#areas/orders/area.ts'
import { dayOf } from '#kit/model/time.ts'
import { get, queryText } from '#kit/page/call.ts'
import { useLanguage } from '#kit/page/language.ts'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import { area } from '../area.ts'
import type { Chart } from './model.ts'

const { chart, 'sales-count': sales, 'act-count': acts, consultant } = area.screens

/** On a wall nobody asks for newer figures; on a desk, calls without a person would keep an idle session open. */
const WALL_MS = 30_000

/** The month the address names, this one unless it names any; and whether it is shown on a wall. */
export function useAsked() {
  const tab = useTab()
  const thisMonth = dayOf(new Date()).slice(0, 7)
  const named = tab.search.get('month') ?? ''
  return {
    thisMonth,
    month: /^\d{4}-(0[1-9]|1[0-2])$/.test(named) ? named : thisMonth,
    isWall: tab.shown && tab.search.has('wall'),
    showMonth: (month: string) => tab.change({ month: month === thisMonth ? undefined : month }),
    showWall: (isWall: boolean) => tab.change({ wall: isWall ? '1' : undefined }),
  }
}

/** Below the order list's name: a push of a new order brings newer figures. */
export function useChart(month: string, isWall: boolean) {
  const language = useLanguage()
  return useQuery({
    queryKey: [orders.screens.order.name, 'sales-chart', month, language],
    queryFn: ({ signal }) => get<Chart>(`/${chart.name}`, { query: { month }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: isWall && WALL_MS,
    refetchIntervalInBackground: isWall,
  })
}

/** Where the figures come from, for whoever may look there. */
export function useSources({ from, to }: Pick<Chart, 'from' | 'to'>) {
  const user = useUser()
  const when = (key: string, path: string) => (mayDo(user, key, 'list') ? path : undefined)
  const period = { from: [from], to: [to] }
  return {
    sales: (measure: string, soldBy: readonly string[] = []) =>
      when(sales.key, sales.route + queryText({ ...period, measure: [measure], soldBy: [...soldBy] })),
    hours: when(acts.key, acts.route + queryText({ ...period, dimension: ['hour'] })),
    targets: when(consultant.key, consultant.route),
    targetOf: (consultantId: string) => when(consultant.key, `${consultant.route}/${consultantId}`),
  }
}
export type Sources = ReturnType<typeof useSources>

/** Takes the whole screen while the wall is shown; whoever leaves it, by whichever key, leaves the wall. */
export function useWholeScreen(leave: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => event.key === 'Escape' && leave())
  const onChange = useEffectEvent(() => document.fullscreenElement === null && leave())
  useEffect(function takeScreen() {
    // Asked for without a click, as by an address that is opened by itself, it is refused: the wall then fills the window.
    void document.documentElement.requestFullscreen?.().catch(() => {})
    const key = (event: KeyboardEvent) => onKey(event)
    const change = () => onChange()
    document.addEventListener('keydown', key)
    document.addEventListener('fullscreenchange', change)
    return () => {
      document.removeEventListener('keydown', key)
      document.removeEventListener('fullscreenchange', change)
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {})
    }
  }, [])
}

/** What time it is, by the minute. */
export function useMinute(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(function tick() {
    const timer = setInterval(() => setNow(new Date()), 10_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
