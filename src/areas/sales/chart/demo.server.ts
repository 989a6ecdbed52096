import type { Story } from '#demo/story.server.ts'

/** Shows how sales are going. */
export const demo: Story = {
  holds: { SALES: ['list'], AUDITOR: ['list'] },
}
