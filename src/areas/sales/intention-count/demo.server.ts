import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'

/** Counts how likely leads looked. */
export const demo: Story = {
  holds: { SALES: READ, SALES_MANAGER_COPY: ['export'], AUDITOR: READ },
}
