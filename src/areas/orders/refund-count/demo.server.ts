import type { Story } from '#demo/story.server.ts'

/** Counts what the refunds tell. */
export const demo: Story = {
  holds: {
    SALES_MANAGER_COPY: ['list', 'export'],
    AFTERSALES_MANAGER: ['list', 'export'],
    FINANCE: ['list', 'export'],
  },
}
