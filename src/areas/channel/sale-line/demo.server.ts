import type { Story } from '#demo/story.server.ts'

/** Shows by channel what the rules of allocation say. */
export const demo: Story = {
  holds: {
    SALES_MANAGER_COPY: ['list', 'update'],
    OPERATIONS: ['list'],
    OPERATIONS_MANAGER: ['update'],
    AUDITOR: ['list'],
  },
}
