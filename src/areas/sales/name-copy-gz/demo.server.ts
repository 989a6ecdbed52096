import { HOLDS } from '#areas/sales/name-sheet/demo.server.ts'
import type { Story } from '#demo/story.server.ts'

export const demo: Story = { holds: HOLDS }
