import { followOwner, seenByOwner } from '#areas/members/member/handing-over.server.ts'
import { lockMember } from '#areas/members/member/holding.server.ts'
import { type Member, resource as member } from '#areas/members/member/model.ts'
import { nextNumber, numbersKept } from '#engines/sequence/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { serveRequests } from '#kit/server/serve/serve-requests.ts'
import { closingAsked, invariants as closingInvariants, jobs as closingJobs, grantClosing } from './closing.server.ts'
import { giftAsked, grantGift } from './gift.server.ts'
import { type Application, requests, resource, workflow } from './model.ts'
import {
  endPaused,
  grantPause,
  pauseAsked,
  invariants as pauseInvariants,
  jobs as pauseJobs,
} from './pausing.server.ts'
import { grantPhone, phoneAsked } from './phone.server.ts'

const served = serveRequests(resource, workflow, requests, {
  async begin(op, { memberId, kind }) {
    await lockMember(op.tx, memberId)
    const { status, ...place } = await memberOf(op, memberId)
    requireOpen(status, kind)
    return { ...place, applicationNo: await nextNumber(op, 'A') }
  },
  async lock(op, id) {
    const found = await op.tx
      .selectFrom('member_application')
      .select('member_id')
      .where('id', '=', id)
      .executeTakeFirst()
    if (found) await lockMember(op.tx, found.member_id)
  },
  effects: {
    async resume(op, application) {
      const { status } = await memberOf(op, application.memberId)
      if (status === 'CLOSED') throw new Refused(refuse('closed'))
      return endPaused(op, application)
    },
  },
  constraints: {
    member_application_open: { code: 'already-asked', field: 'memberId' },
    // Told to whoever asks under the limits of a phone search, and to whoever agrees when somebody was quicker.
    member_phone: {
      code: 'phone-taken',
      field: 'newPhone',
      holder: { of: member, field: 'phone' },
    },
  },
  kinds: {
    GIFT: { asked: giftAsked, grant: ifActive(grantGift) },
    PHONE: { asked: phoneAsked, grant: ifActive(grantPhone) },
    PAUSE: { asked: pauseAsked, grant: ifActive(grantPause) },
    CLOSE: { asked: closingAsked, grant: ifActive(grantClosing) },
  },
})

type Grant = (op: Operation, application: Application) => Promise<Partial<Application>>

/** Who is frozen gets nothing, and may go; who is gone has nothing to ask for. */
function requireOpen(status: Member['status'], kind: Application['kind']): void {
  if (status === 'CLOSED') throw new Refused(refuse('closed'))
  if (status === 'FROZEN' && kind !== 'CLOSE') throw new Refused(refuse('frozen'))
}

/** Who was frozen meanwhile gets nothing. */
function ifActive(grant: Grant): Grant {
  return async (op, application) => {
    const { status } = await memberOf(op, application.memberId)
    requireOpen(status, application.kind)
    return grant(op, application)
  }
}

/** Whoever sees the member sees what is asked for on the member's behalf. */
const memberOf = ({ tx }: Operation, id: string) =>
  tx
    .selectFrom('member')
    .select(['status', 'owner_id as ownerId', 'org_id as orgId'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

export const { routes } = served
export const jobs = [...served.jobs, ...pauseJobs, ...closingJobs]
export const listeners = [
  followOwner('member_application'),
  forgets({ table: 'member_application', becomes: { reason: "'-'", new_phone: 'null', proof: "'{}'" } }),
]
export const invariants: readonly Invariant[] = [
  ...numbersKept('A', { table: 'member_application', no: 'application_no', givenAt: 'created_at' }),
  seenByOwner('member_application'),
  ...served.invariants,
  ...pauseInvariants,
  ...closingInvariants,
  {
    name: 'a gift that was agreed to was given once, whole, and no other was given in its name',
    query: `
      select a.id, a.application_no from member_application a
      full join (
        select application_id, member_id, kind, quantity from entitlement_lot where application_id is not null
        union all select application_id, member_id, 'COUPON', null from member_coupon where application_id is not null
      ) g on g.application_id = a.id
      where (a.kind = 'GIFT' and a.status = 'APPROVED') is distinct from (g.application_id is not null)
        or (g.application_id is not null and (g.member_id, g.quantity,
          case g.kind when 'MEMBER_DAYS' then 'DAYS' else g.kind end) is distinct from (a.member_id, a.quantity, a.gift_kind))`,
  },
]
