import type { Story } from '#demo/story.server.ts'

/** Counts what the partners' orders tell. */
export const demo: Story = {
  holds: {
    OPERATIONS: ['list', 'export'],
    FINANCE: ['list', 'export'],
    AUDITOR: ['list', 'export'],
  },
}
