import { childTab } from '#kit/page/detail/child-list.tsx'
import { child } from './lines/model.ts'

export const tab = childTab(child, { order: 5 })
