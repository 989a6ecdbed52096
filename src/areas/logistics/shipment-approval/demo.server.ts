import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'

/** Looks at the parcels the shipments tell of. */
export const demo: Story = {
  holds: { LOGISTICS: READ, WAREHOUSE_MANAGER: ['export', 'reveal', 'approve', 'reject'] },
}
