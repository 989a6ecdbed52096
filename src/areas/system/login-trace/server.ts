import { adminsIn } from '#areas/system/user/admins.server.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { resource, workflow } from './model.ts'

export const routes = serve(resource, {
  workflow,
  async facts(db, rows) {
    const admins = await adminsIn(db)
    return new Map(rows.map(({ id }) => [id, admins]))
  },
  effects: {
    forceLogout: async (op, { sessionId }) => {
      if (sessionId !== null) await op.app.sessions.end(op.tx, [sessionId], 'FORCED')
    },
  },
})

export const invariants: readonly Invariant[] = [
  {
    name: 'a sign-in ended when its session did',
    query: `
      select t.id from login_trace t join session s on s.id = t.session_id
      where (t.ended_at, t.end_reason) is distinct from (s.ended_at, s.end_reason)`,
  },
]
