import { sql } from 'kysely'
import { placeOf } from '#areas/members/member/handing-over.server.ts'
import { staffHandedOver, staffMoved } from '#areas/organisation/staff/belongings.server.ts'
import { addConsultant, keepTarget } from '#engines/allocation/server.ts'
import { handOnLeads } from '#engines/lead/owning.server.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { EnteredWith } from '#kit/model/workflow.ts'
import type { Change, Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { writeChange } from '#kit/server/change/step.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { child as decisions } from './decisions/model.ts'
import { type Consultant, resource, workflow } from './model.ts'
import { namePassed } from './passed.server.ts'
import { ruleRoutes } from './rules.server.ts'
import { child as targets } from './targets/model.ts'

const served = serve(resource, {
  workflow,
  constraints: { consultant_staff: { code: 'consultant-known', field: 'staffId' } },
  async store(op, input, before, write) {
    if (input.workFrom >= input.workTo) throw onField('workTo', refuse('ends-before-it-begins'))
    if (before) return write(input)
    const { staffId, ...terms } = input
    return addConsultant(op, await placeOf(op.tx, staffId, 'staffId'), terms)
  },
  effects: {
    pause: async (op, _row, { pausedUntil }) => {
      if (pausedUntil !== null && new Date(pausedUntil) <= op.now) throw onField('pausedUntil', refuse('until-is-past'))
      return { pausedUntil }
    },
    resume: async () => ({ pausedUntil: null }),
    setTarget,
    handOver: async (op, { staffId }, { newOwnerId }) => {
      const owner = await placeOf(op.tx, newOwnerId, 'newOwnerId')
      if (owner.id === staffId) throw new Refused(refuse('already-owner', { name: owner.name }))
      await handOnLeads(op, staffId, owner)
      return { openLeads: 0, unspoken: 0 }
    },
  },
})

/** What somebody is to sell this month, or the next; entered again, it is another amount. */
async function setTarget(
  op: Operation,
  { id }: Consultant,
  { targetMonth, targetFen }: EnteredWith<typeof workflow, 'setTarget'>,
): Promise<Partial<Consultant>> {
  const isNow = targetMonth === 'THIS'
  await keepTarget(op, id, isNow ? 0 : 1, targetFen)
  return isNow ? { targetFen } : {}
}

/** Whose pause is over gets leads again. */
const resuming = defineJob({
  name: 'resume-consultants',
  cron: '0 * * * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each }) {
    const { rows } = await sql<Standing>`
      select id, status, paused_until as "pausedUntil" from consultant where status = 'PAUSED' and paused_until <= ${change.now}
      order by id for update`.execute(change.tx)
    return each(rows, row => writeChange(change, resource, row, { status: 'ON', pausedUntil: null }, 'resume'))
  },
})
type Standing = Pick<Consultant, 'id' | 'status' | 'pausedUntil'>

/** Whoever took over answers for it; nobody is given leads by it any more. */
async function passOn(change: Change, fromId: string, toId: string, orgId: string): Promise<void> {
  const { rows } = await sql<Standing>`
    select id, status, paused_until as "pausedUntil" from consultant where owner_id = ${fromId} order by id for update`.execute(
    change.tx,
  )
  for (const row of rows) {
    if (row.status === 'ON') await writeChange(change, resource, row, { status: 'PAUSED' }, 'pause')
    await sql`update consultant set owner_id = ${toId}, org_id = ${orgId} where id = ${row.id}`.execute(change.tx)
  }
}

export const routes: Routes = app => [
  ...served(app),
  ...serveChild(decisions, { told: namePassed })(app),
  ...serveChild(targets)(app),
  ...ruleRoutes(app),
]

export const jobs = [resuming]
export const listeners: readonly Listener[] = [
  listen(staffHandedOver, (change, { fromId, toId, orgId }) => passOn(change, fromId, toId, orgId)),
  listen(staffMoved, async ({ tx }, { staffId, orgId }) => {
    await sql`update consultant set org_id = ${orgId} where owner_id = ${staffId}`.execute(tx)
  }),
]
