import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'

export const demo: Story = {
  holds: {
    SALES: [...READ, 'verify', 'bindMember', 'handle', 'sync', 'reveal'],
    SALES_MANAGER_COPY: ['cancelVerify', 'regrant', 'freeze', 'export'],
    OPERATIONS: [...READ, 'verify', 'cancelVerify', 'handle', 'sync'],
    AUDITOR: READ,
  },
}
