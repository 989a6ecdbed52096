import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'

export const demo: Story = {
  holds: {
    SALES: [...READ, 'bindMember', 'handle', 'sync', 'reveal'],
    SALES_MANAGER_COPY: ['regrant', 'freeze', 'export'],
    OPERATIONS: [...READ, 'handle', 'sync'],
    AUDITOR: READ,
  },
}
