import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'

/** Counts what came of the numbers of lists. */
export const demo: Story = {
  holds: { SALES: READ, SALES_MANAGER_COPY: ['export'], AUDITOR: READ },
}
