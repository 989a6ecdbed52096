import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { area as orders } from '#areas/orders/area.ts'
import { dayOf } from '#kit/model/time.ts'
import { get, queryText } from '#kit/page/call.ts'
import { useLanguage } from '#kit/page/language.ts'
import { FIGURES } from '#kit/page/live.ts'
import { useToldOffline } from '#kit/page/reach.ts'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import { area } from '../area.ts'
import type { Chart } from './model.ts'

const { chart, 'sales-count': sales, 'act-count': acts, consultant } = area.screens

/** A wall without any news asks this often, so that its session stays open where idle ones end: nobody is there to sign in again. */
const WALL_MS = 1_200_000
/** What was given up by a connection that nobody clicks is tried again. */
const RECONNECT_MS = 30_000

/** The month the address names, this one unless it names any; and whether it is shown on a wall. */
export function useAsked() {
  const tab = useTab()
  const today = useToday()
  const thisMonth = today.slice(0, 7)
  const named = tab.search.get('month') ?? ''
  return {
    today,
    thisMonth,
    month: /^\d{4}-(0[1-9]|1[0-2])$/.test(named) ? named : thisMonth,
    isWall: tab.shown && tab.search.has('wall'),
    showMonth: (month: string) => tab.change({ month: month === thisMonth ? undefined : month }),
    showWall: (isWall: boolean) => tab.change({ wall: isWall ? '1' : undefined }),
  }
}

type Asked = Pick<ReturnType<typeof useAsked>, 'month' | 'today' | 'isWall'>

/**
 * On a wall asked for again whenever figures are told to be others. On a desk, where calls without a person would keep an idle session open,
 * below the order list's name: a push of a new order brings newer ones. The days that have come are others tomorrow.
 */
export function useChart({ month, today, isWall }: Asked) {
  const language = useLanguage()
  return useQuery({
    queryKey: [...(isWall ? [FIGURES, chart.key] : [orders.screens.order.name]), chart.name, month, today, language],
    queryFn: ({ signal }) => get<Chart>(`/${chart.name}`, { query: { month }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: isWall && WALL_MS,
    refetchIntervalInBackground: isWall,
  })
}

/** Whether the wall cannot hear of anything, or was not answered; meanwhile the connection is tried anew. */
export function useIsOld(isError: boolean): boolean {
  const { isTold, reconnect } = useToldOffline()
  useEffect(
    function tryAgain() {
      if (!isTold) return
      const timer = setInterval(reconnect, RECONNECT_MS)
      return () => clearInterval(timer)
    },
    [isTold, reconnect],
  )
  return isError || isTold
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

/** Nobody touches a wall: its screen would go dark. The browser lets go of it when the window is out of sight, and is asked again. */
export function useScreenAwake(): void {
  useEffect(function stayAwake() {
    let held: Promise<WakeLockSentinel | undefined> | undefined
    const ask = () => {
      // Only where the page is served safely, and not while the battery is low: then it is as it was.
      if (document.visibilityState === 'visible') held = navigator.wakeLock?.request('screen').catch(() => undefined)
    }
    ask()
    document.addEventListener('visibilitychange', ask)
    return () => {
      document.removeEventListener('visibilitychange', ask)
      void held?.then(lock => lock?.release())
    }
  }, [])
}

/** Which day it is, also past midnight. */
function useToday(): string {
  const [today, setToday] = useState(() => dayOf(new Date()))
  useEffect(function turnDays() {
    const timer = setInterval(() => setToday(dayOf(new Date())), 30_000)
    return () => clearInterval(timer)
  }, [])
  return today
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
