import { Skeleton, Table } from 'antd'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { makeReachable } from '../reachable.ts'
import { useSettings } from '../settings.ts'
import { headComponents, useColumns, withBelow } from './columns.tsx'
import { useFittingColumns } from './fitting-columns.ts'
import { useAnswer, useAsked, useChosenRows, useHeld } from './list-context.ts'
import type { Row } from './list-state.ts'
import { opensRow } from './opens-row.ts'
import { ActionsOf, useIsActed } from './row-actions.tsx'
import { useTrueHeads } from './true-heads.ts'

/** The table's own head is not higher, in px. */
const HEAD = 56

/** The rows as a table: old ones stay while new ones load. */
export function ListTable({ empty }: { empty: ReactNode }) {
  const { resource, list, shows, selectable, cursor, top } = useHeld()
  const asked = useAsked()
  const { rows, gone, isPending, isFetching, isOld } = useAnswer()
  const chosen = useChosenRows()
  const kit = useTexts<typeof locale>('kit/page')
  const density = useSettings(settings => settings.density)
  const { columns, below, isTight, box } = useFittingColumns(resource, useColumns(resource, asked, shows))
  const anew = useTrueHeads(box)
  const isActed = useIsActed()
  const topNow = useRef(top)
  topNow.current = top
  useEffect(
    function keepCursorInSight() {
      const row = box.current?.querySelectorAll<HTMLElement>('tr.ant-table-row')[cursor]
      if (!row) return
      // What sticks above the rows would lie over it.
      row.style.scrollMarginTop = `${topNow.current + HEAD}px`
      row.scrollIntoView({ block: 'nearest' })
    },
    [box, cursor],
  )
  useEffect(function reachWhatScrolls() {
    makeReachable(box.current)
  })
  const last = {
    key: 'actions',
    title: kit('row-actions'),
    fixed: 'end' as const,
    // As narrow as what it holds.
    width: 1,
    render: (_: unknown, row: Row) => <ActionsOf row={row} />,
  }
  return (
    <div ref={box} className={isTight ? 'inkstone-tight' : undefined}>
      <Table<Row>
        key={anew}
        rowKey="id"
        size={density}
        className={isOld ? 'inkstone-table inkstone-old' : 'inkstone-table'}
        sticky={{ offsetHeader: top }}
        aria-busy={isFetching}
        components={headComponents}
        columns={[
          ...columns.map(column => withBelow(column, below.get(String(column.key)))),
          ...(isActed ? [last] : []),
        ]}
        dataSource={rows}
        scroll={{ x: 'max-content' }}
        pagination={false}
        rowClassName={({ id }, index) =>
          [index === cursor && 'inkstone-cursor', gone.has(id) && 'inkstone-gone'].filter(Boolean).join(' ')
        }
        locale={{ emptyText: isPending ? <Skeleton active /> : empty }}
        {...(selectable && {
          rowSelection: {
            selectedRowKeys: [...chosen.ids],
            preserveSelectedRowKeys: true,
            columnTitle: box => <HeadBox>{box}</HeadBox>,
            onChange: keys => list.selection.select(keys.map(String)),
          },
        })}
        onChange={(_page, _filters, sorter) => {
          const { field, order } = Array.isArray(sorter) ? (sorter[0] ?? {}) : sorter
          asked.set({ sort: order ? `${String(field)}:${order === 'ascend' ? 'asc' : 'desc'}` : '' })
        }}
        onRow={row => ({ onClick: event => opensRow(event) && list.open(row.id) })}
      />
    </div>
  )
}

/** antd draws the heads a second time, hidden, to measure them: the box in there must not be reached (seen in antd 6.6). */
function HeadBox({ children }: { children: ReactNode }) {
  return (
    <span ref={box => void box?.toggleAttribute('inert', box.closest('[aria-hidden="true"]') !== null)}>
      {children}
    </span>
  )
}
