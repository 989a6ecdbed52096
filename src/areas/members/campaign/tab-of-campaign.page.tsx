import { childTab } from '#kit/page/detail/child-list.tsx'
import type { Campaign } from './model.ts'
import { child } from './numbers/model.ts'

/** How often the numbers of a campaign that is being sent are looked at. */
const SENDING_MS = 3_000

export const tab = childTab(child, {
  order: 5,
  looks: ({ status }: Campaign) => ({ againMs: status === 'SENDING' && SENDING_MS }),
})
