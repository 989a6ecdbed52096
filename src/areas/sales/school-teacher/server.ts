import { sql } from 'kysely'
import { placeOf } from '#areas/members/member/handing-over.server.ts'
import { staffHandedOver, staffMoved } from '#areas/organisation/staff/belongings.server.ts'
import { squaresOf } from '#engines/copybook/code.server.ts'
import { linkFault } from '#engines/copybook/order.model.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { App, Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { countTeachers } from './counting.server.ts'
import { channelFault } from './link.model.ts'
import { resource, type SchoolTeacher, workflow } from './model.ts'
import { forgetReward, noteReward, rewardingOf } from './rewarding.server.ts'
import { child as rewards } from './rewards/model.ts'
import { constraints, teacherImport } from './teacher-import.server.ts'

const served = (app: App) =>
  serve(resource, {
    workflow,
    constraints,
    facts: (db, rows) => rewardingOf(app, db, rows),
    async store(op, input, before, write) {
      const { channel } = before ?? input
      const fault = input.link === null ? undefined : (linkFault(input.link) ?? channelFault(input.link, channel))
      if (fault) throw onField('link', fault)
      const entered = { ...input, ...phoneOf(input) }
      if (before) return write(entered)
      return write({ ...entered, ownerId: op.actor.id, orgId: op.actor.orgId })
    },
    detail: async (_app, { link }) => ({ squares: link === null ? [] : squaresOf(link) }),
    effects: {
      noteReward,
      assign: (op, teacher, { newOwnerId }) => assign(op, teacher, newOwnerId),
      stop: async op => ({ stoppedAt: op.now.toISOString() }),
      resume: async () => ({ stoppedAt: null }),
    },
    undo: { noteReward: forgetReward },
  })

/** As it is dialled; what was not entered anew stays. */
function phoneOf({ phone }: Partial<Pick<SchoolTeacher, 'phone'>>): { phone?: string | null } {
  if (phone === undefined || phone === null) return phone === undefined ? {} : { phone }
  const read = parsePhone(phone)
  if (read === undefined) throw onField('phone', refuse('kit:phone-invalid'))
  return { phone: read }
}

async function assign({ tx }: Operation, { ownerId }: SchoolTeacher, newOwnerId: string) {
  const owner = await placeOf(tx, newOwnerId, 'newOwnerId')
  if (ownerId === owner.id) throw new Refused(refuse('already-owner', { name: owner.name }))
  return { ownerId: owner.id, ...{ orgId: owner.orgId } }
}

export const routes: Routes = app => [...served(app)(app), ...serveChild(rewards)(app)]
export const imports = [teacherImport]

const count = defineJob({
  name: 'count-school-teachers',
  cron: '45 */5 * * * *',
  misfire: 'SKIP',
  work: countTeachers,
})

const KEPT_DAYS = 365

/** Of whom nobody has worked with for so long, the number is of no more use. */
const forget = defineJob({
  name: 'forget-school-teachers',
  cron: '0 35 3 * * *',
  misfire: 'RUN_ONCE',
  async work({ tx, now }) {
    const { rows } = await sql`
      update school_teacher set phone = null, version = version + 1
      where phone is not null and stopped_at < ${now}::timestamptz - ${`${KEPT_DAYS} days`}::interval returning id`.execute(
      tx,
    )
    return rows.length
  },
})
export const jobs = [count, forget]

export const listeners: readonly Listener[] = [
  // Somebody who closed an account here may be a teacher too.
  forgets({
    table: 'school_teacher',
    where: 't.phone = any($2::text[])',
    becomes: { phone: 'null', name: "'-'", note: "''" },
    known: ['name'],
  }),
  listen(staffHandedOver, async ({ tx }, { fromId, toId, orgId }) => {
    await sql`
      update school_teacher set owner_id = ${toId}, org_id = ${orgId}, version = version + 1 where owner_id = ${fromId}`.execute(
      tx,
    )
  }),
  listen(staffMoved, async ({ tx }, { staffId, orgId }) => {
    await sql`update school_teacher set org_id = ${orgId} where owner_id = ${staffId}`.execute(tx)
  }),
]

export const invariants: readonly Invariant[] = [
  {
    name: 'a teacher was given what the rewards add up to',
    query: `
      select t.id, t.rewarded_fen, n.fen from school_teacher t, lateral (
        select coalesce(sum(value_fen), 0) as fen from school_teacher_reward r where r.teacher_id = t.id) n
      where n.fen <> t.rewarded_fen`,
  },
]
