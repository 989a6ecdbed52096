import { sql } from 'kysely'
import type { Resource } from '#kit/model/resource.ts'
import type { Change } from '#kit/server/app.ts'
import { type Delivery, defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { type Alike, compare, type Looked, lookAt } from './server.ts'

/** What is known of the pictures of a record: none there, not looked at yet, never seen, like another's, or the very same. */
type Likeness = 'NONE' | 'PENDING' | 'NEW' | 'ALIKE' | 'SAME'
type Compared = {
  readonly id: string
  readonly picture: string[]
  readonly likeness: string
  readonly likeId: string | null
}
type Payload = { readonly id: string }

export const likenessOf = (like: Alike | undefined): { likeness: Likeness; likeId: string | null } => ({
  likeness: like === undefined ? 'NEW' : like.isSame ? 'SAME' : 'ALIKE',
  likeId: like?.recordId ?? null,
})

type Declared = { readonly kind: string; readonly resource: Pick<Resource, 'table' | 'screen' | 'record' | 'asked'> }

/** Records with pictures that are compared once they are stored: reading pictures takes longer than a transaction may. */
export function comparing({ kind, resource }: Declared) {
  const table = sql.table(resource.table)
  const delivery: Delivery = defineDelivery<Payload, readonly Looked[]>({
    kind,
    async call(app, { id }) {
      const { rows } = await sql<Pick<Compared, 'picture'>>`select picture from ${table} where id = ${id}`.execute(
        app.db.query,
      )
      const looked: Looked[] = []
      for (const fileId of rows[0]?.picture ?? []) looked.push(await lookAt(app, fileId))
      return looked
    },
    async settle(change, { id }, looked) {
      const { rows } = await sql<Compared>`
        select id, picture, likeness, like_id as "likeId" from ${table} where id = ${id} for update`.execute(change.tx)
      const [row] = rows
      // Others were sent meanwhile, or they were taken away: those are looked at by a call of their own.
      if (!row || String(row.picture) !== String(looked.map(({ fileId }) => fileId))) return
      const like = await compare(change.tx, { page: resource.screen.key, recordId: id, looked })
      await writeChange(change, resource, row, likenessOf(like), 'compare')
    },
  })
  /** Once for these pictures, however often it is asked for. */
  const ask = (change: Pick<Change, 'tx' | 'now'>, id: string, pictures: readonly string[]) =>
    deliver(change, { kind, key: `${id}:${pictures[0]}`, payload: { id } satisfies Payload })
  return { delivery, ask }
}
