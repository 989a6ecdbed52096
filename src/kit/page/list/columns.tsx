import { ArrowDownOutlined, ArrowUpOutlined, PushpinOutlined, SettingOutlined } from '@ant-design/icons'
import { Button, Checkbox, Popover } from 'antd'
import type { ColumnType } from 'antd/es/table/interface'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import type { Shows } from '../detail/detail-drawer.tsx'
import { headOf, Show } from '../field/show.tsx'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import type { ListState, Row } from './list-state.ts'
import { ResizableHead } from './resizable-head.tsx'

/** How a person wants one list's columns: order, what is hidden, pinned, and how wide. */
type Layout = { order: string[]; hidden: string[]; pinned: string[]; widths: Record<string, number> }
const PLAIN: Layout = { order: [], hidden: [], pinned: [], widths: {} }

const useLayouts = create<{ layouts: Record<string, Layout> }>()(
  persist(() => ({ layouts: {} }), { name: 'inkstone-columns' }),
)
const changeLayout = (name: string, change: Partial<Layout>) =>
  useLayouts.setState(({ layouts }) => ({ layouts: { ...layouts, [name]: { ...PLAIN, ...layouts[name], ...change } } }))

/** Columns in the person's order; ones that came with a newer version stand where the declaration puts them. */
function arranged(resource: Resource, layout: Layout): string[] {
  const known = layout.order.filter(field => resource.list.columns.includes(field))
  const fresh = resource.list.columns.filter(field => !known.includes(field))
  return [...known, ...fresh].sort((a, b) => Number(layout.pinned.includes(b)) - Number(layout.pinned.includes(a)))
}

const WIDTHS: Readonly<Record<string, number>> = {
  code: 150,
  reference: 170,
  money: 110,
  instant: 135,
  choice: 110,
  dictionary: 110,
  flag: 80,
  day: 120,
  number: 90,
  personal: 130,
  'long-text': 220,
  lines: 280,
}
const DEFAULT_WIDTH = 160
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
      const name = say(`field.${field}` as never)
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
        onHeaderCell: () =>
          ({
            width,
            widthName: kit('column-width', { name }),
            onWidth: (next: number) =>
              changeLayout(resource.screen.name, { widths: { ...layout.widths, [field]: next } }),
          }) as object,
        render: (_: unknown, row: Row) =>
          shows[field]?.(row as never) ?? <Show resource={resource} field={field} row={row} />,
      }
    })
}

const orderOf = (sort: string | undefined, field: string) =>
  sort === `${field}:asc` ? 'ascend' : sort === `${field}:desc` ? 'descend' : null

export const headComponents = { header: { cell: ResizableHead } }

/** Show, order and pin columns: by keyboard and mouse alike. */
export function ColumnSettings({ resource }: { resource: Resource }) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const name = resource.screen.name
  const layout = useLayouts(({ layouts }) => layouts[name]) ?? PLAIN
  const order = arranged(resource, layout)
  const toggle = (list: string[], field: string) =>
    list.includes(field) ? list.filter(other => other !== field) : [...list, field]
  const move = (field: string, by: number) => {
    const from = order.indexOf(field)
    const next = order.filter(other => other !== field)
    next.splice(Math.max(0, from + by), 0, field)
    changeLayout(name, { order: next })
  }
  const panel = (
    <div style={{ width: 300, maxHeight: 420, overflow: 'auto' }}>
      {order.map((field, index) => (
        <div key={field} style={{ display: 'flex', alignItems: 'center', gap: 2 }}>
          <Checkbox
            style={{ flex: 1 }}
            checked={!layout.hidden.includes(field)}
            onChange={() => changeLayout(name, { hidden: toggle(layout.hidden, field) })}
          >
            {say(`field.${field}` as never)}
          </Checkbox>
          <Button
            type="text"
            size="small"
            aria-label={kit('move-up')}
            icon={<ArrowUpOutlined />}
            disabled={index === 0}
            onClick={() => move(field, -1)}
          />
          <Button
            type="text"
            size="small"
            aria-label={kit('move-down')}
            icon={<ArrowDownOutlined />}
            disabled={index === order.length - 1}
            onClick={() => move(field, 1)}
          />
          <Button
            type={layout.pinned.includes(field) ? 'primary' : 'text'}
            size="small"
            aria-label={kit('pin-left')}
            aria-pressed={layout.pinned.includes(field)}
            icon={<PushpinOutlined />}
            onClick={() => changeLayout(name, { pinned: toggle(layout.pinned, field) })}
          />
        </div>
      ))}
      <Button type="link" size="small" onClick={() => changeLayout(name, PLAIN)}>
        {kit('columns-reset')}
      </Button>
    </div>
  )
  return (
    <Popover content={panel} trigger="click" placement="bottomRight">
      <Button icon={<SettingOutlined />} aria-label={kit('columns')} title={kit('columns')} />
    </Popover>
  )
}
