import { compare, type Looked, lookAt } from '#engines/picture-hash/server.ts'
import type { App, Change } from '#kit/server/app.ts'
import { defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { resource } from './model.ts'

const KIND = 'share-compared'
type Payload = { readonly shareId: string }

/** Its screenshots are looked at once it is stored: reading pictures takes longer than a transaction may. */
export async function askToCompare(change: Pick<Change, 'tx' | 'now'>, shareId: string): Promise<void> {
  const payload: Payload = { shareId }
  await deliver(change, { kind: KIND, key: shareId, payload })
}

export const compareDelivery = defineDelivery<Payload, readonly Looked[]>({
  kind: KIND,
  async call(app, { shareId }) {
    const looked: Looked[] = []
    for (const fileId of await picturesOf(app, shareId)) looked.push(await lookAt(app, fileId))
    return looked
  },
  async settle(change, { shareId }, looked) {
    const row = await change.tx
      .selectFrom('poster_share')
      .select(['id', 'likeness', 'like_id as likeId'])
      .where('id', '=', shareId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const like = await compare(change.tx, { page: resource.screen.key, recordId: shareId, looked })
    const likeness = like === undefined ? 'NEW' : like.isSame ? 'SAME' : 'ALIKE'
    await writeChange(change, resource, row, { likeness, likeId: like?.recordId ?? null }, 'compare')
  },
})

const picturesOf = async ({ db }: App, id: string): Promise<readonly string[]> =>
  (await db.query.selectFrom('poster_share').select('picture').where('id', '=', id).executeTakeFirstOrThrow()).picture
