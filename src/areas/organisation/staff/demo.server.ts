import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'

const PERSONNEL = [...READ, 'create', 'update', 'export', 'import', 'reveal', 'handOver'] as const

/** The people themselves are there before anything happens (demo/organisation.server.ts). Who leads others sees those. */
export const demo: Story = {
  holds: {
    AUDITOR: READ,
    SALES_MANAGER_COPY: READ,
    AFTERSALES_MANAGER: READ,
    OPERATIONS_MANAGER: [...PERSONNEL, 'leave', 'rejoin'],
  },
  enters: ({ ids }) => ({ positions: [{ positionId: ids.get('position'), isPrimary: true }] }),
}
