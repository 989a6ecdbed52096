import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'

/** The roles themselves stand in the demo's organisation; whoever audits looks at them. */
export const demo: Story = {
  holds: { AUDITOR: READ },
  // One that begins with nothing.
  enters: () => ({ copyOf: null }),
}
