import { PlusOutlined } from '@ant-design/icons'
import { Button, Typography } from 'antd'
import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { locale } from '../form/locale.ts'
import { useTexts } from '../language.ts'
import type { Column } from './column.ts'
import { type Hands, Line, type More, Told } from './line.tsx'
import { follow, keyOf } from './line-keys.ts'
import { drawnAt, useCarrying } from './use-carrying.ts'
import { useFaults } from './use-faults.ts'
import { usePaste } from './use-paste.ts'
import './lines.css'

type Props<L> = {
  /** As Form.Item gives them: the lines are one value of the form, and their order is the order. */
  id?: string | undefined
  value?: readonly L[] | undefined
  onChange?: ((lines: L[]) => void) | undefined
  columns: readonly Column<L>[]
  /** How lines are added and taken away; without it they are the ones given. */
  grows?: Growing<L>
  /** Whether people put them in order. */
  isSorted?: boolean
  /** What follows from any change, line by line: a share that takes the rest. */
  settle?(lines: readonly L[]): readonly L[]
  /** What follows from putting lines in another order. */
  settleMoved?(lines: readonly L[], before: readonly L[]): readonly L[]
  more?: More<L>
  /** Stands beside the button that adds. */
  tools?: ReactNode
}

type Growing<L> = {
  readonly max: number
  /** So many lines are always there, to begin with. */
  readonly least?: number
} & (
  | { blank(lines: readonly L[]): L; readonly add: string }
  /** Another way to add than by a button, where lines are of several kinds. */
  | { readonly blank?: never; add(add: (line: L) => void, isFull: boolean): ReactNode }
)

/** The lines of a record: a table in its form, edited in place, put in order by dragging or Alt and arrows. */
export function Lines<L extends object>(props: Props<L>) {
  const { id, value = [], onChange, columns, grows, isSorted = false, settle, settleMoved, more, tools } = props
  const say = useTexts<typeof locale>('kit/page/form')
  const root = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [begun] = useState(() => (grows?.least && grows.blank ? [grows.blank([])] : []))
  const lines = value.length === 0 ? begun : value
  const [told, tell] = useState('')
  const focusAfter = useFocusAfter()
  const { faultsOf, elsewhere } = useFaults<L>()

  const give = (next: readonly L[]) => {
    const settled = settle?.(next) ?? next
    for (const [at, line] of settled.entries()) follow(line, next[at] ?? line)
    onChange?.([...settled])
  }
  const add = (line: L) => {
    give([...lines, line])
    focusAfter(() => list.current?.lastElementChild?.querySelector('input'))
  }
  const move = (from: number, to: number) => {
    const line = lines[from]
    if (!line || to < 0 || to >= lines.length) return
    const next = lines.toSpliced(from, 1).toSpliced(to, 0, line)
    const settled = settleMoved?.(next, lines) ?? next
    for (const [at, moved] of settled.entries()) follow(moved, next[at] ?? moved)
    const focused = document.activeElement
    give(settled)
    tell(say('line-moved', { number: to + 1, count: lines.length }))
    focusAfter(() => focused)
  }
  const { carried, grab } = useCarrying(list, move)
  const { paste, left } = usePaste(list, lines, { columns, max: grows?.max ?? lines.length, blank: grows?.blank }, give)
  const hands = useSteady<Hands<L>>({
    set: (at, parts) => give(lines.map((line, index) => (index === at ? changed(line, parts) : line))),
    ...(grows && {
      remove(at) {
        give(lines.toSpliced(at, 1))
        const button = () =>
          list.current?.children[Math.min(at, lines.length - 2)]?.querySelector('.inkstone-line-remove')
        focusAfter(() => button() ?? root.current?.querySelector('.inkstone-lines-foot button'))
      },
    }),
    ...(isSorted && { grab, step: (at, by) => move(at, at + by) }),
  })

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: takes the focus the form gives to its field, for the first cell that needs it
    <div
      ref={root}
      id={id}
      tabIndex={-1}
      className="inkstone-lines-editor"
      style={{ '--tracks': tracksOf(columns, isSorted, more !== undefined, grows !== undefined) } as CSSProperties}
      onFocus={event => event.target === root.current && focusFirst(root.current)}
    >
      {lines.length > 0 && (
        <div className="inkstone-line inkstone-lines-head" aria-hidden>
          {isSorted && <span />}
          {columns.map(({ name, title, isFigure }) => (
            <span key={name} title={title} {...(isFigure && FIGURE)}>
              {title}
            </span>
          ))}
        </div>
      )}
      <div ref={list} className="inkstone-lines-rows" onPaste={paste}>
        {lines.map((line, at) => (
          <Line
            key={keyOf(line)}
            line={line}
            at={at}
            columns={columns}
            faults={faultsOf(line)}
            hands={hands}
            more={more}
            isKept={lines.length <= (grows?.least ?? 0)}
            isLast={at === lines.length - 1}
            isCarried={carried?.from === at}
            order={drawnAt(at, carried)}
          />
        ))}
      </div>
      <Sums columns={columns} lines={lines} isSorted={isSorted} />
      {(grows || tools) && (
        <div className="inkstone-lines-foot">
          {grows && <Adder grows={grows} lines={lines} add={add} />}
          {tools}
        </div>
      )}
      <Told words={elsewhere} />
      {left > 0 && (
        <Typography.Text type="warning" role="alert">
          {say('lines-left', { count: left, max: grows?.max ?? lines.length })}
        </Typography.Text>
      )}
      <span role="status" className="inkstone-unseen">
        {told}
      </span>
    </div>
  )
}

type AdderProps<L> = { grows: Growing<L>; lines: readonly L[]; add(line: L): void }

function Adder<L>({ grows, lines, add }: AdderProps<L>) {
  const isFull = lines.length >= grows.max
  if (!grows.blank) return grows.add(add, isFull)
  return (
    <Button
      type="dashed"
      block
      icon={<PlusOutlined aria-hidden />}
      disabled={isFull}
      onClick={() => add(grows.blank(lines))}
    >
      {grows.add}
    </Button>
  )
}

const FIGURE = { className: 'inkstone-line-figure' }

/** What the columns come to, each sum under its own. */
function Sums<L>({
  columns,
  lines,
  isSorted,
}: {
  columns: readonly Column<L>[]
  lines: readonly L[]
  isSorted: boolean
}) {
  const say = useTexts<typeof locale>('kit/page/form')
  if (lines.length < 2 || !columns.some(({ sum }) => sum)) return null
  return (
    <div className="inkstone-line inkstone-lines-sums">
      {isSorted && <span />}
      {columns.map(({ name, title, isFigure, sum }, at) => (
        <span key={name} {...(isFigure && FIGURE)} {...(sum ? { 'data-title': title } : {})}>
          {sum ? sum(lines) : at === 0 && say('sum')}
        </span>
      ))}
    </div>
  )
}

function changed<L extends object>(line: L, parts: Partial<L>): L {
  const next = { ...line, ...parts }
  follow(next, line)
  return next
}

const tracksOf = (
  columns: readonly { width?: number }[],
  isSorted: boolean,
  hasMore: boolean,
  mayRemove: boolean,
): string =>
  [
    ...(isSorted ? ['24px'] : []),
    ...columns.map(({ width }) => (width === undefined ? 'minmax(0, 1fr)' : `${width}px`)),
    ...(hasMore || mayRemove ? [`${32 * (Number(hasMore) + Number(mayRemove))}px`] : []),
  ].join(' ')

/** Once what was found wrong is drawn, the first cell of it; else where typing begins. */
function focusFirst(root: HTMLElement): void {
  const first = (what: string) => root.querySelector<HTMLElement>(what)
  setTimeout(() => (first('[aria-invalid=true]') ?? first('input'))?.focus())
}

/** Moves the focus once the lines are drawn as they are now. */
function useFocusAfter() {
  const next = useRef<() => Element | null | undefined>(undefined)
  useLayoutEffect(function focusNext() {
    const element = next.current?.()
    next.current = undefined
    if (element instanceof HTMLElement && element !== document.activeElement) element.focus()
  })
  return (find: () => Element | null | undefined) => {
    next.current = find
  }
}

/** The same object for as long as the editor stands, doing what was given last: lines that did not change are not drawn anew. */
function useSteady<T extends object>(given: T): T {
  const latest = useRef(given)
  const [steady] = useState(
    () =>
      Object.fromEntries(
        Object.keys(given).map(name => [
          name,
          (...args: unknown[]) => (latest.current as Record<string, (...args: unknown[]) => unknown>)[name]?.(...args),
        ]),
      ) as T,
  )
  useLayoutEffect(function takeLatest() {
    latest.current = given
  })
  return steady
}
