import { childTab } from '#kit/page/detail/child-list.tsx'
import { child } from './orders/model.ts'

export const tab = childTab(child, { order: 5 })
