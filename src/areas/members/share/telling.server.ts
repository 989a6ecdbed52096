import { openApp } from '#engines/app/server.ts'
import type { Change } from '#kit/server/app.ts'
import { defineDelivery, deliver } from '#kit/server/change/outbox.ts'

const KIND = 'share-told'
type Payload = { readonly shareId: string }

/** The member reads in the app what became of the share. What is said is read when it is told, and stands in no queue. */
export async function tellApp(change: Change, { id }: { readonly id: string }): Promise<void> {
  const payload: Payload = { shareId: id }
  await deliver(change, { kind: KIND, key: `${id}:${change.now.getTime()}`, payload })
}

export const tellDelivery = defineDelivery<Payload, void>({
  kind: KIND,
  async call(app, { shareId }, key) {
    const share = await app.db.query
      .selectFrom('poster_share')
      .select(['member_id as memberId', 'key as shareId', 'status as state'])
      .select(['reward_coins as coins', 'rejected_for as reason'])
      .where('id', '=', shareId)
      .executeTakeFirstOrThrow()
    await openApp(app).tellShare(share, key)
  },
  async settle() {},
})
