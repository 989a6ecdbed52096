import * as z from 'zod'
import { followOwner, followTeacher, seenByOwner, seenByTeacher } from '#areas/members/member/handing-over.server.ts'
import { findMember, type KnownMember } from '#areas/members/member/known.server.ts'
import { saidOfMember, tellOfMember, word } from '#areas/members/member/telling.server.ts'
import { PUSHES } from '#kit/model/contract.ts'
import { refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { writeChange } from '#kit/server/change/step.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { defineEvent, NotYet } from '#kit/server/live/event.ts'
import { withoutPhones } from '#kit/server/live/push.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { dictionaries } from './dictionaries.server.ts'
import { resource, workflow } from './model.ts'
import { askAppToRetry, retryDelivery } from './retrying.server.ts'

export const routes = serve(resource, {
  workflow,
  // The member first, as when a failure comes in: what the app says meanwhile waits.
  async lock(op, id) {
    const found = await op.tx.selectFrom('upload_failure').select('member_id').where('id', '=', id).executeTakeFirst()
    if (found) await findMember(op.tx, { memberId: found.member_id })
  },
  effects: { retry: askAppToRetry },
})

const failed = saidOfMember({
  opusId: word(64),
  reason: word(200),
  task: word(100).optional(),
  error: word(40).optional(),
  clientVersion: word(40).optional(),
  network: z.enum(['WIFI', 'CELLULAR', 'OFFLINE']).optional(),
  bytes: z.int().min(0).max(2_000_000_000).optional(),
})
type Failed = z.infer<typeof failed>

/** An error newer than our words for it is a failure all the same: what the app said stands beside it. */
const errorOf = ({ error }: Failed): string =>
  error !== undefined && Object.hasOwn(dictionaries.UPLOAD_ERROR.entries, error) ? error : 'OTHER'

const uploadFailed = defineEvent({
  type: PUSHES[4].event,
  sources: ['app'],
  data: failed,
  async apply({ app, tx, now, key }, data) {
    const { memberId, phone, opusId, reason } = data
    const member = await findMember(tx, { memberId, phone })
    if (!member) throw new NotYet(refuse('members/member:member-unknown'))
    await store(ownChange(app, tx, now, `event:${key}`), member, data)
    // One key for the one row: whoever dismissed it is not told of its repetitions.
    const about = `upload:${member.id}:${opusId}:${errorOf(data)}`.slice(0, 100)
    await tellOfMember(app, tx, { type: 4, key: about, content: { opusId, reason }, member, phone })
  },
})

async function store(change: Change, member: KnownMember, said: Failed): Promise<void> {
  const { tx, now } = change
  const error = errorOf(said)
  const seen = {
    task: withoutPhones(said.task ?? said.opusId),
    said: withoutPhones(said.reason),
    clientVersion: said.clientVersion ?? '-',
    network: said.network ?? ('UNKNOWN' as const),
    bytes: said.bytes ?? null,
    lastAt: now.toISOString(),
  }
  // Under the member's lock: no second one of the same can come in between.
  const row = await tx
    .selectFrom('upload_failure')
    .select(['id', 'task', 'said', 'client_version as clientVersion', 'network', 'bytes', 'last_at as lastAt'])
    .select(['times', 'status'])
    .where('member_id', '=', member.id)
    .where('opus_id', '=', said.opusId)
    .where('error', '=', error)
    .forUpdate()
    .executeTakeFirst()
  if (row) {
    // What somebody chose to ignore stays so; anything else needs somebody again.
    const status = row.status === 'IGNORED' || row.status === 'CONTACTED' ? row.status : 'NEW'
    await writeChange(change, resource, row, { ...seen, times: row.times + 1, status }, 'again')
    return
  }
  await tx
    .insertInto('upload_failure')
    .values({
      member_id: member.id,
      opus_id: said.opusId,
      error,
      task: seen.task,
      said: seen.said,
      client_version: seen.clientVersion,
      network: seen.network,
      bytes: seen.bytes,
      last_at: now,
      owner_id: member.ownerId,
      org_id: member.orgId,
      teacher_id: member.teacherId,
      created_at: now,
    })
    .execute()
}

/** The work has arrived after all: nobody need help any more. */
const uploaded = defineEvent({
  type: 'opus.uploaded',
  sources: ['app'],
  data: saidOfMember({ opusId: word(64) }),
  async apply({ app, tx, now, key }, { memberId, phone, opusId }) {
    const member = await findMember(tx, { memberId, phone })
    if (!member) throw new NotYet(refuse('members/member:member-unknown'))
    const change = ownChange(app, tx, now, `event:${key}`)
    for (const row of await openOf(tx, member.id, opusId))
      await writeChange(change, resource, row, { status: 'SOLVED' }, 'arrive')
  },
})

const openOf = (tx: Tx, memberId: string, opusId: string) =>
  tx
    .selectFrom('upload_failure')
    .select(['id', 'status'])
    .where('member_id', '=', memberId)
    .where('opus_id', '=', opusId)
    .where('status', 'in', ['NEW', 'RETRYING', 'CONTACTED'])
    .orderBy('id')
    .forUpdate()
    .execute()

export const events = [uploadFailed, uploaded]
export const deliveries = [retryDelivery]
export const listeners = [
  followOwner('upload_failure'),
  followTeacher('upload_failure'),
  forgets({ table: 'upload_failure', becomes: { said: "'-'" } }),
]
export const invariants: readonly Invariant[] = [seenByOwner('upload_failure'), seenByTeacher('upload_failure')]
