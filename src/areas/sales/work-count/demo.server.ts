import type { Story } from '#demo/story.server.ts'

/** Counts what the works tell. */
export const demo: Story = {
  holds: {
    SALES: ['list'],
    SALES_MANAGER_COPY: ['list', 'export'],
    OPERATIONS: ['list', 'export'],
  },
}
