import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { metaOf, type Resource } from '#kit/model/resource.ts'

/** How a person wants one list's columns: order, what is hidden, pinned, and how wide. */
type Layout = { order: string[]; hidden: string[]; shown: string[]; pinned: string[]; widths: Record<string, number> }
export const PLAIN: Layout = { order: [], hidden: [], shown: [], pinned: [], widths: {} }

export const useLayouts = create<{ layouts: Record<string, Layout> }>()(
  persist(() => ({ layouts: {} }), { name: 'inkstone-columns' }),
)
export const changeLayout = (name: string, change: Partial<Layout>) =>
  useLayouts.setState(({ layouts }) => ({ layouts: { ...layouts, [name]: { ...PLAIN, ...layouts[name], ...change } } }))

/** What stands in the list however narrow it is: what names a record, its state, its amount, and what the person asked for. */
export function wantedColumns(resource: Resource): ReadonlySet<string> {
  const { shown, pinned } = { ...PLAIN, ...useLayouts.getState().layouts[resource.screen.name] }
  const { columns, tabs } = resource.list
  const amount = columns.find(field => metaOf(resource, field).kind === 'money')
  return new Set([resource.title, ...(tabs ? [tabs] : []), ...(amount ? [amount] : []), ...shown, ...pinned])
}

/** Columns in the person's order; ones that came with a newer version stand where the declaration puts them. */
export function arranged(resource: Resource, layout: Layout): string[] {
  const known = layout.order.filter(field => resource.list.columns.includes(field))
  const fresh = resource.list.columns.filter(field => !known.includes(field))
  return [...known, ...fresh].sort((a, b) => Number(layout.pinned.includes(b)) - Number(layout.pinned.includes(a)))
}
