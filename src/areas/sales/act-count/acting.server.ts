import type { Operation } from '#kit/server/change/operation.ts'

/** What somebody does with a lead besides speaking with its person. */
export type Act = 'CLAIM' | 'ADD' | 'JUDGE' | 'ASSIGN' | 'GIVE_BACK' | 'LOSE' | 'DISMISS'

/** A step on a lead that counts as something its taker has done. An undone one was done, too. */
export const counted =
  <L extends { readonly id: string }, I, R>(act: Act, effect: (op: Operation, lead: L, input: I) => Promise<R>) =>
  async (op: Operation, lead: L, input: I): Promise<R> => {
    const done = await effect(op, lead, input)
    await op.tx
      .insertInto('lead_act')
      .values({ lead_id: lead.id, owner_id: op.actor.id, org_id: op.actor.orgId, act, done_at: op.now })
      .execute()
    return done
  }
