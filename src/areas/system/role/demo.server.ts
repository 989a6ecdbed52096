import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'

/** The roles themselves stand in the demo's organisation; whoever audits them looks, and sees the console as they do. */
export const demo: Story = { holds: { AUDITOR: [...READ, 'preview'] } }
