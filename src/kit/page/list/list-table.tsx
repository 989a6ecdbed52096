import { Skeleton, Table } from 'antd'
import type { ReactNode } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import type { Shows } from '../detail/detail-drawer.tsx'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { useSettings } from '../settings.ts'
import type { AnyWorkflow } from '../step.tsx'
import { headComponents, useColumns } from './columns.tsx'
import type { Row } from './list-state.ts'
import type { Listed } from './use-list.ts'

export type BodyProps = {
  resource: Resource
  workflow: AnyWorkflow | undefined
  list: Listed
  shows: Shows
  /** Rows are chosen only where something can be done with many of them. */
  selectable: boolean
  actions(row: Row): ReactNode
  empty: ReactNode
}

/** At least: a longer step widens it. */
const ACTIONS_WIDTH = { steps: 150, plain: 110 } as const

/** The rows as a table: old ones stay while new ones load. */
export function ListTable(props: BodyProps & { cursor: number }) {
  const { resource, workflow, list, shows, selectable, actions, empty, cursor } = props
  const kit = useTexts<typeof locale>('kit/page')
  const density = useSettings(settings => settings.density)
  const columns = useColumns(resource, list.state, shows)
  const last = {
    key: 'actions',
    title: kit('row-actions'),
    fixed: 'end' as const,
    width: workflow ? ACTIONS_WIDTH.steps : ACTIONS_WIDTH.plain,
    render: (_: unknown, row: Row) => actions(row),
  }
  return (
    <Table<Row>
      rowKey="id"
      size={density}
      className="inkstone-table"
      aria-busy={list.query.isFetching}
      components={headComponents}
      columns={[...columns, last]}
      dataSource={list.rows}
      scroll={{ x: 'max-content' }}
      pagination={false}
      rowClassName={(_, index) => (index === cursor ? 'inkstone-cursor' : '')}
      locale={{ emptyText: list.query.isPending ? <Skeleton active /> : empty }}
      {...(selectable && {
        rowSelection: {
          selectedRowKeys: [...list.selected],
          preserveSelectedRowKeys: true,
          columnTitle: box => <HeadBox>{box}</HeadBox>,
          onChange: keys => list.select(keys.map(String)),
        },
      })}
      onChange={(_page, _filters, sorter) => {
        const { field, order } = Array.isArray(sorter) ? (sorter[0] ?? {}) : sorter
        list.state.set({ sort: order ? `${String(field)}:${order === 'ascend' ? 'asc' : 'desc'}` : '' })
      }}
      onRow={row => ({ onDoubleClick: () => list.open(row.id) })}
    />
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
