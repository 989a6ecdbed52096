import type { Story } from '#demo/story.server.ts'

/** Counts what the orders tell. */
export const demo: Story = {
  holds: {
    SALES_MANAGER_COPY: ['list', 'export'],
    FINANCE: ['list', 'export'],
    OPERATIONS_MANAGER: ['list', 'export'],
  },
}
