import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'

/** The departments themselves are there before anything happens (demo/organisation.server.ts). */
export const demo: Story = { holds: { AUDITOR: READ } }
