import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { colleague, MINUTE_MS, named, type World } from '#demo/world.server.ts'

const LOCKED_MINUTES = 12

/** The people themselves are there before anything happens (demo/organisation.server.ts). One of them has just mistyped too often. */
function end(world: World): void {
  const until = new Date(world.now.getTime() + LOCKED_MINUTES * MINUTE_MS)
  const shown = colleague(world, 'TEACHER')
  const forgetful = named(world.staff, one => one.role === 'TEACHER' && one.id !== shown.id, 'second teacher')
  world.rows.add('attempt_gate', [
    { kind: 'login', subject: forgetful.account, attempts: 5, window_until: until, locked_until: until },
  ])
}

export const demo: Story = { holds: { AUDITOR: [...READ, 'export'] }, end }
