import type { Story } from '#demo/story.server.ts'

/** Counts what became of what was claimed. */
export const demo: Story = {
  holds: { SALES: ['list'], SALES_MANAGER_COPY: ['export'], AUDITOR: ['list'] },
}
