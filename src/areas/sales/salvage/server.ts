import { memberHandedOver, placeOf, seenByOwner } from '#areas/members/member/handing-over.server.ts'
import { standsIn } from '#areas/organisation/department/closing.server.ts'
import { counted } from '#areas/sales/act-count/acting.server.ts'
import { forgetAdded, noteAdded } from '#areas/sales/chat-account/adding.server.ts'
import { namePassed } from '#areas/sales/consultant/passed.server.ts'
import { followAgain } from '#engines/lead/ending.server.ts'
import { forgetNumber } from '#engines/lead/forgetting.server.ts'
import { leadForgotten, leadMoved, leadSettled, lockMembersOf, lockPhones } from '#engines/lead/known.server.ts'
import { advanced, furthestOf } from '#engines/lead/model.ts'
import { endSpans, followMembers, forgetReached, noteReached, passOn, putBack } from '#engines/lead/owning.server.ts'
import { ships } from '#engines/message/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App, Listener } from '#kit/server/app.ts'
import { announce, listen } from '#kit/server/change/announce.ts'
import { diffOf, record } from '#kit/server/change/audit.ts'
import { forgetFiles } from '#kit/server/change/erasure-copies.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { ask } from '#kit/server/change/question.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { allocation } from './allocation.server.ts'
import { chainRunRoute } from './chain-runs.server.ts'
import { claimingOf, lockClaims, refuseBeyond, refuseTaken } from './claiming.server.ts'
import { contactRoute, noteContact } from './contacts.server.ts'
import { child as decisions } from './decisions/model.ts'
import { escalation } from './escalation.server.ts'
import { expiring } from './expiring.model.ts'
import { expiry } from './expiry.server.ts'
import { followCorrected, forgetLevel, levelInvariants, noteLevel } from './judging.server.ts'
import { child as levels } from './levels/model.ts'
import { type Lead, resource, workflow } from './model.ts'
import { child as owners } from './owners/model.ts'
import { poolRoutes } from './pools.server.ts'
import { contactDue } from './reminding.model.ts'
import { reminding } from './reminding.server.ts'
import { countingViews, forgetViews } from './viewing.server.ts'

const served = (app: App) =>
  serve(resource, {
    workflow,
    facts: claimingOf,
    // Whoever claims waits for the own last claim, whoever has a lead back for those of its owner; then for the member the lead is
    // tied to, then for the lead.
    async lock(op, id, step) {
      if (step === 'forget') await lockPhoneOf(op, id)
      await lockClaims(op, step === undefined ? await ownerOf(op, id) : op.actor.id)
      const found = await op.tx.selectFrom('lead').select('member_id').where('id', '=', id).executeTakeFirst()
      if (found?.member_id) await ask(app, lockMembersOf, { tx: op.tx, memberIds: [found.member_id] })
      if (step === 'claim') await refuseTaken(op, id)
    },
    effects: {
      claim: counted('CLAIM', (op, lead: Lead) =>
        take(op, lead, { id: op.actor.id, orgId: op.actor.orgId }, 'CLAIMED'),
      ),
      assign: counted('ASSIGN', async (op, lead: Lead, { newOwnerId }: { newOwnerId: string }) => {
        const owner = await placeOf(op.tx, newOwnerId, 'newOwnerId')
        if (lead.ownerId === owner.id) throw new Refused(refuse('already-owner', { name: owner.name }))
        return take(op, lead, owner, 'ASSIGNED')
      }),
      contact: noteContact,
      followUp: noteContact,
      markAdded: counted('ADD', async (op, { id: leadId, ownerId, furthest }: Lead) => {
        if (ownerId !== null) await noteAdded(op, { how: 'LEAD', staffId: ownerId, leadId, at: op.now })
        await noteReached(op, leadId, 'ADDED')
        return { furthest: furthestOf(furthest, 'ADDED') }
      }),
      // Nobody tells how much they want it without having been spoken to for long.
      markIntent: counted('JUDGE', async (op, lead: Lead, { level }: Pick<Lead, 'level'>) => {
        await noteReached(op, lead.id, 'INTENT')
        await noteLevel(op, lead, level)
        return { level, furthest: furthestOf(lead.furthest, 'ADDED') }
      }),
      giveBack: counted('GIVE_BACK', async (op, lead: Lead, { returnReason, toPoolId }: GivenBack) => {
        await putBack(op, [lead.id], { left: 'RETURNED', reason: returnReason })
        return {
          ...POOLED,
          // Where nobody says which, it goes back to where it was: the database knows.
          ...(toPoolId === null ? {} : { poolId: toPoolId }),
          pooledAt: op.now.toISOString(),
          returnReason,
          previousOwnerId: lead.ownerId,
          timesReturned: lead.timesReturned + 1,
        }
      }),
      lose: counted('LOSE', (op, lead: Lead, { endReason }: Ended) => giveUp(op, lead, 'LOST', endReason)),
      markInvalid: dismiss,
      forget: async (op, lead) => (lead.endedAt === null ? dismiss(op, lead, { endReason: 'FORGOTTEN' }) : {}),
    },
    async after(op, { phone }, step) {
      if (step === 'forget' && phone !== null) await forgetNumber(op, phone)
    },
    undo: {
      lose: reopen,
      markInvalid: reopen,
      markAdded: async (op, lead, before, at) => {
        await forgetAdded(op.tx, lead.id, at)
        await forgetReached(op, lead.id, 'ADDED', at)
        return asFarAsMember(lead, before)
      },
      markIntent: async (op, lead, before, at) => {
        await forgetReached(op, lead.id, 'INTENT', at)
        await forgetLevel(op.tx, lead.id, at)
        return asFarAsMember(lead, before)
      },
    },
  })

const ownerOf = async ({ tx }: Operation, id: string): Promise<string | null> =>
  (await tx.selectFrom('lead').select('owner_id').where('id', '=', id).executeTakeFirst())?.owner_id ?? null

/** Before the lead, as whatever brings the number once more locks both. */
async function lockPhoneOf(op: Operation, id: string): Promise<void> {
  const found = await op.tx.selectFrom('lead').select('phone').where('id', '=', id).executeTakeFirst()
  if (found?.phone) await lockPhones(op, [found.phone])
}

/** Whoever has registered since the step that is taken back has registered. */
const asFarAsMember = ({ memberId, furthest }: Lead, { status = 'ASSIGNED' }: Partial<Lead>): Partial<Lead> =>
  memberId === null ? {} : { furthest, status: advanced(status, 'TRIAL') as Lead['status'] }

type Ended = { readonly endReason: string }
type GivenBack = { readonly returnReason: string; readonly toPoolId: string | null }

const POOLED = { ownerId: null, ownerSince: null, nextAt: null, orgId: null } as const

async function take(op: Operation, { id }: Lead, owner: { id: string; orgId: string }, got: 'CLAIMED' | 'ASSIGNED') {
  await passOn(op, [id], owner, got)
  return { ownerId: owner.id, ownerSince: op.now.toISOString(), ...{ orgId: owner.orgId } }
}

async function giveUp(op: Operation, lead: Lead, left: 'LOST' | 'INVALID', endReason: string) {
  await endSpans(op, [lead.id], left, endReason)
  if (lead.memberId === null) await announce(op, leadSettled, { leadIds: [lead.id], memberId: null })
  return { endReason, endedAt: op.now.toISOString(), nextAt: null }
}

const dismiss = counted('DISMISS', (op, lead: Lead, { endReason }: Ended) => giveUp(op, lead, 'INVALID', endReason))

async function reopen(op: Operation, { id, ownerId }: Lead): Promise<void> {
  // Waits for nobody, unless it has changed hands since its owner was asked for.
  await lockClaims(op, ownerId)
  await refuseBeyond(op, id)
  const why = await followAgain(op, id)
  if (why) throw new Refused(refuse(why))
}

export const routes: Routes = app => [
  ...countingViews(app, [
    ...served(app)(app),
    contactRoute(app),
    chainRunRoute(app),
    ...serveChild(owners)(app),
    ...serveChild(decisions, { told: namePassed })(app),
    ...serveChild(levels)(app),
  ]),
  ...poolRoutes(app),
]
export const jobs = [expiry, escalation, reminding, forgetViews]
export const listeners: readonly Listener[] = [
  standsIn({ what: resource.screen.name, table: resource.table, where: 't.ended_at is null' }),
  ...allocation,
  followCorrected,
  ships(expiring, contactDue),
  listen(memberHandedOver, (change, { memberIds, ownerId: id, orgId }) =>
    followMembers(change, memberIds, id === null || orgId === null ? null : { id, orgId }),
  ),
  // What was sent with words to its person is gone with number and name.
  listen(leadForgotten, async ({ tx }, { leadIds }) => {
    await forgetFiles(tx, 'page = $1 and record_id = any($2::bigint[])', [resource.screen.key, leadIds])
  }),
  // What happens to a lead elsewhere stands in its history too.
  listen(leadMoved, async ({ tx, call }, { how, leads }) => {
    for (const { id, was, status } of leads)
      await record(tx, call, {
        page: resource.screen.key,
        action: how,
        recordId: id,
        diff: diffOf(resource, { status: was as Lead['status'] }, { status: status as Lead['status'] }),
      })
  }),
]

export const invariants: readonly Invariant[] = [seenByOwner('lead'), ...levelInvariants]
