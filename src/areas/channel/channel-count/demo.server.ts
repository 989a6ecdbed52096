import type { Story } from '#demo/story.server.ts'

/** Counts what comes by channels. */
export const demo: Story = {
  holds: {
    SALES_MANAGER_COPY: ['list', 'export'],
    OPERATIONS: ['list', 'export'],
    FINANCE: ['list', 'export'],
    AUDITOR: ['list', 'export'],
  },
}
