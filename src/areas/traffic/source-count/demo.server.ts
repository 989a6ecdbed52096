import type { Story } from '#demo/story.server.ts'

/** Counts what leads, members and ads tell. */
export const demo: Story = {
  holds: {
    SALES_MANAGER_COPY: ['list', 'export'],
    OPERATIONS: ['list', 'export'],
    AUDITOR: ['list'],
  },
}
