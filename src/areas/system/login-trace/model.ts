import * as z from 'zod'
import { type Admins, notAbove } from '#areas/system/user/deciding.model.ts'
import type { Actor } from '#kit/model/actor.ts'
import { choice, code, flag, id, instant, optional, reference, text, version } from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineResource, type RecordOf, type RowOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** Every attempt to sign in, good or bad, and how long what came of it lasted. */
export const resource = defineResource({
  screen: area.screens['login-trace'],
  table: 'login_trace',
  record: z.strictObject({
    id: id(),
    at: instant(),
    account: code(50),
    /** None where nobody has that account. */
    staffId: optional(reference('staff')),
    address: code(100),
    device: text(200),
    result: choice({
      SUCCESS: 'done',
      CREDENTIALS: 'failed',
      CAPTCHA: 'attention',
      SECOND_STEP: 'busy',
      CODE: 'failed',
      LOCKED: 'failed',
      DISABLED: 'idle',
    }),
    online: flag(),
    endedAt: optional(instant()),
    endReason: optional(
      choice({ LOGOUT: 'idle', FORCED: 'attention', DISABLED: 'attention', PASSWORD: 'idle', EXPIRED: 'idle' }),
    ),
    sessionId: optional(id()),
    version: version(),
  }),
  title: 'account',
  brief: ['account', 'staffId', 'address', 'device', 'at'],
  list: {
    // Whose account it is stands below it where there is no room beside: whether somebody is still in is looked for first.
    columns: ['at', 'account', 'result', 'online', 'address', 'device', 'staffId', 'endedAt', 'endReason'],
    below: { staffId: 'account' },
    filters: ['at', 'account', 'address', 'result', 'online', 'staffId'],
    sort: ['at'],
    tabs: 'result',
    search: ['account', 'address'],
  },
  actions: ['list', 'detail', 'export'],
  scope: 'shared',
  internal: ['sessionId'],
})
export type LoginTrace = RecordOf<typeof resource>
export type LoginTraceRow = RowOf<typeof resource>

export const workflow = defineWorkflowWith<Admins>()(resource)({
  field: null,
  arrivals: [],
  steps: { forceLogout: { guard: endable, danger: true, back: 'stays' } },
})

function endable({ online, staffId }: LoginTrace, actor: Pick<Actor, 'id'>, admins: Admins): Refusal | undefined {
  if (!online || staffId === null) return refuse('not-online')
  if (staffId === actor.id) return refuse('system/user:own-sessions')
  return notAbove({ id: staffId }, actor, admins) && refuse('system/user:only-by-admin')
}
