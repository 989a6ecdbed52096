import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'

/** Jobs are the code's, and their log tells what really ran: nothing of it is made up. */
export const demo: Story = {
  holds: { AUDITOR: READ, OPERATIONS_MANAGER: [...READ, 'runNow', 'stop'] },
  enters: () => ({ cron: '0 3 * * *' }),
}
