import type { ColumnType } from 'antd/es/table/interface'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { useLanguage } from '../language.ts'
import { useSettings } from '../settings.ts'
import { PLAIN, useLayouts, wantedColumns } from './column-layout.ts'
import { leaveOut, NONE_LEFT_OUT, useLeftOut } from './left-out.ts'
import type { Row } from './list-state.ts'

type Columns = readonly ColumnType<Row>[]

/** What a list is read by stands first in it: before one of these goes, names of others give up what is told beside them. */
const FIRST = 5

/**
 * The columns that fit beside the actions, so that none stands under them: where there are too many, the last ones are
 * left to the detail, unless the person asked for them. A wider window shows more.
 */
export function useFittingColumns(
  resource: Resource,
  columns: Columns,
): {
  columns: ColumnType<Row>[]
  /** By the column it stands below: what has no room for one of its own. */
  below: ReadonlyMap<string, readonly ColumnType<Row>[]>
  isTight: boolean
  box: RefObject<HTMLDivElement | null>
} {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  useTableWidth(box)
  const language = useLanguage()
  const density = useSettings(settings => settings.density)
  // What was left out under other circumstances is tried again.
  const { name } = resource.screen
  const shown = useLayouts(({ layouts }) => layouts[name]?.shown) ?? PLAIN.shown
  const wide = columns.map(column => [column.key, column.width])
  const around = JSON.stringify([width, language, density, wide, shown])
  const left = useLeftOut(({ lists }) => lists[name]) ?? NONE_LEFT_OUT
  const { fields: out, isTight } = left.around === around ? left : NONE_LEFT_OUT
  const isFitting = ({ key }: ColumnType<Row>) => !out.includes(String(key))
  useLayoutEffect(function leaveOutWhatDoesNotFit() {
    const surplus = surplusOf(box.current)
    // Found for another width, it would be looked for again and again.
    if (surplus === 0 || !box.current || widthOf(box.current) !== width) return
    // How wide a column is, its rows tell.
    if (!box.current.querySelector('td[data-field]')) return
    const asked = wantedColumns(resource)
    const first = columns.slice(0, FIRST).map(({ key }) => String(key))
    // Whoever asks for more than fits moves the table sideways: what it is read by is not left out for that.
    const stays = (field: string) => asked.has(field) || (shown.length > 0 && first.includes(field))
    const candidates = columns.map(({ key }) => String(key)).filter(field => !stays(field) && !out.includes(field))
    const fields = lastOnes(candidates, surplus, box.current)
    const spare = fields.filter(field => !first.includes(field))
    if (!isTight && spare.length < fields.length) leaveOut(name, { around, fields: [...out, ...spare], isTight: true })
    else if (fields.length > 0) leaveOut(name, { around, fields: [...out, ...fields], isTight })
  })
  const [fitting, others] = [columns.filter(isFitting), columns.filter(column => !isFitting(column))]
  const below = Map.groupBy(others, ({ key }) => resource.list.below?.[String(key)] ?? '')
  return { columns: fitting, below, isTight, box }
}

const scrollerOf = (box: HTMLElement | null) => box?.querySelector('.ant-table-body, .ant-table-content') ?? null

/** By how much the table is wider than its place. */
function surplusOf(box: HTMLElement | null): number {
  const scroller = scrollerOf(box)
  return scroller ? Math.max(0, scroller.scrollWidth - scroller.clientWidth - 1) : 0
}

/** As many of the last columns as give that much room. */
function lastOnes(fields: readonly string[], surplus: number, box: HTMLElement): string[] {
  const found: string[] = []
  let missing = surplus
  for (const field of fields.toReversed()) {
    if (missing <= 0) break
    found.push(field)
    missing -= box.querySelector<HTMLElement>(`td[data-field="${field}"]`)?.offsetWidth ?? 0
  }
  return found
}

/** Draws again when what stands in the cells made the table wider or narrower, as texts do that arrive later. */
function useTableWidth(box: RefObject<HTMLElement | null>): void {
  const [, setWidth] = useState(0)
  const watched = useRef<Element | null>(null)
  const observer = useRef<ResizeObserver | null>(null)
  useLayoutEffect(function followTable() {
    const table = scrollerOf(box.current)?.querySelector('table') ?? null
    if (table === watched.current) return
    watched.current = table
    observer.current?.disconnect()
    observer.current = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)))
    if (table) observer.current.observe(table)
  })
  useEffect(function letGo() {
    return () => observer.current?.disconnect()
  }, [])
}

const widthOf = (box: HTMLElement): number => Math.round(box.getBoundingClientRect().width)

/** Of the list that was drawn last: the next one has the same place. A guess that is right need not be drawn twice. */
let widthBefore = 0

function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(widthBefore)
  useLayoutEffect(
    function followWidth() {
      const element = box.current
      if (!element) return
      const measure = () => {
        widthBefore = widthOf(element)
        setWidth(widthBefore)
      }
      const observer = new ResizeObserver(measure)
      observer.observe(element)
      measure()
      return () => observer.disconnect()
    },
    [box],
  )
  return width
}
