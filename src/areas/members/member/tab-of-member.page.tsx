import { childTab } from '#kit/page/detail/child-list.tsx'
import { child } from './lessons/model.ts'

/** What the pupil took part in, and what it cost. */
export const tab = childTab(child, { order: 42 })
