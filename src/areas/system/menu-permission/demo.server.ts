import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'

/** The menu is made from the screens; nobody has changed it yet. */
export const demo: Story = { holds: { AUDITOR: READ } }
