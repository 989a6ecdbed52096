import { SettingOutlined } from '@ant-design/icons'
import { Button, Popover } from 'antd'
import type { ColumnType } from 'antd/es/table/interface'
import { lazy, type ReactNode, Suspense } from 'react'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import type { Shows } from '../detail/detail-types.ts'
import { Maskable } from '../field/maskable.tsx'
import { headOf } from '../field/show.tsx'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { arranged, changeLayout, PLAIN, useLayouts } from './column-layout.ts'
import type { ListState, Row } from './list-state.ts'
import { ResizableHead } from './resizable-head.tsx'

/** At least: what stands in a column makes it wider, and room that is left is shared out. */
const WIDTHS: Readonly<Record<string, number>> = {
  code: 150,
  reference: 120,
  money: 90,
  instant: 100,
  choice: 80,
  dictionary: 80,
  flag: 64,
  day: 100,
  number: 72,
  personal: 120,
  'long-text': 220,
  lines: 280,
}
const DEFAULT_WIDTH = 120
/** Room for the arrows of a sortable head. */
const SORTER_WIDTH = 14

export function useColumns(resource: Resource, state: ListState, shows: Shows): ColumnType<Row>[] {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const layout = useLayouts(({ layouts }) => layouts[resource.screen.name]) ?? PLAIN
  return arranged(resource, layout)
    .filter(field => !layout.hidden.includes(field))
    .map(field => {
      const { kind } = metaOf(resource, field)
      const name = say(`field.${field}`)
      const sortable = resource.list.sort.includes(field)
      const width = layout.widths[field] ?? (WIDTHS[kind] ?? DEFAULT_WIDTH) + (sortable ? SORTER_WIDTH : 0)
      return {
        key: field,
        dataIndex: field,
        title: headOf(resource, field, name),
        width,
        align: kind === 'money' || kind === 'number' ? 'right' : 'left',
        ellipsis: kind === 'text' || kind === 'long-text' || kind === 'lines',
        sorter: sortable,
        sortOrder: orderOf(state.sort, field),
        ...(layout.pinned.includes(field) ? { fixed: 'left' as const } : {}),
        onCell: () => ({ 'data-field': field }) as object,
        onHeaderCell: () =>
          ({
            width,
            widthName: kit('column-width', { name }),
            onWidth: (next: number) =>
              changeLayout(resource.screen.name, { widths: { ...layout.widths, [field]: next } }),
          }) as object,
        render: (_: unknown, row: Row) =>
          shows[field]?.(row as never) ?? <Maskable resource={resource} field={field} row={row} brief />,
      }
    })
}

type Column = ColumnType<Row>

/** Two facts in one cell: what belongs to the column and has no room of its own stands below, small. */
export const withBelow = (column: Column, below: readonly Column[] = []): Column =>
  below.length === 0
    ? column
    : {
        ...column,
        render: (value: unknown, row: Row, index: number) => (
          <div className="inkstone-over">
            <div>{column.render?.(value, row, index) as ReactNode}</div>
            {below.filter(isTold(row)).map(({ key, title, align, render }) => (
              <div key={key} data-field={key} title={String(title)}>
                {/* A figure says which it is: by itself it would be taken for part of what stands above it. */}
                {align === 'right' && `${String(title)} `}
                {render?.(undefined, row, index) as ReactNode}
              </div>
            ))}
          </div>
        ),
      }

/** Of what has a column a dash says that it is missing; below another value it would say it of that. */
const isTold =
  (row: Row) =>
  ({ key }: Column): boolean =>
    (row as Readonly<Record<string, unknown>>)[String(key)] !== null

const orderOf = (sort: string | undefined, field: string) =>
  sort === `${field}:asc` ? 'ascend' : sort === `${field}:desc` ? 'descend' : null

export const headComponents = { header: { cell: ResizableHead } }

// With the first look at them.
const ColumnPanel = lazy(async () => ({ default: (await import('./column-settings.tsx')).ColumnPanel }))

export function ColumnSettings({ resource }: { resource: Resource }) {
  const kit = useTexts<typeof locale>('kit/page')
  const panel = (
    <Suspense>
      <ColumnPanel resource={resource} />
    </Suspense>
  )
  return (
    <Popover content={panel} trigger="click" placement="bottomRight">
      <Button icon={<SettingOutlined />} aria-label={kit('columns')} title={kit('columns')} />
    </Popover>
  )
}
