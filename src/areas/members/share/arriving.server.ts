import * as z from 'zod'
import { findMember, type KnownMember } from '#areas/members/member/known.server.ts'
import { saidOfMember, tellOfMember, word } from '#areas/members/member/telling.server.ts'
import { PUSHES } from '#kit/model/contract.ts'
import { refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import { type Applying, defineEvent, NotYet } from '#kit/server/live/event.ts'
import { withoutPhones } from '#kit/server/live/push.ts'
import { attachSent } from '#kit/server/live/sent-file.ts'
import { askToCompare } from './comparing.server.ts'
import { dictionaries } from './dictionaries.server.ts'
import { MAX_SCREENSHOTS, resource, weekOf } from './model.ts'

const shared = saidOfMember({
  poster: word(100),
  shareId: word(64).optional(),
  platform: word(40).default('MOMENTS'),
  pictures: z.array(z.uuid()).max(MAX_SCREENSHOTS).default([]),
})
type Shared = z.infer<typeof shared>

/** Where our words for platforms end, a share is one all the same. */
const platformOf = ({ platform }: Shared): string =>
  Object.hasOwn(dictionaries.SHARE_PLATFORM.entries, platform) ? platform : 'OTHER'

const posterShared = defineEvent({
  type: PUSHES[9].event,
  sources: ['app'],
  data: shared,
  async apply(applying, said) {
    const { app, tx, key } = applying
    const { memberId, phone, poster } = said
    const member = await findMember(tx, { memberId, phone })
    if (!member) throw new NotYet(refuse('members/member:member-unknown'))
    const named = said.shareId ?? key.slice(-64)
    await store(applying, member, named, said)
    // One key for the one share: whoever dismissed it is not told of its repetitions.
    const about = `share:${member.id}:${named}`.slice(0, 100)
    await tellOfMember(app, tx, { type: 9, key: about, content: { poster }, member, phone })
  },
})

/** One row for each share of the app, however often it is told. A screenshot may come with a later word of it. */
async function store(applying: Applying, member: KnownMember, named: string, said: Shared): Promise<void> {
  const { tx, now } = applying
  // The member is locked: the same share does not come in twice at once.
  const known = await tx
    .selectFrom('poster_share')
    .select(['id', 'status', 'likeness'])
    .where('member_id', '=', member.id)
    .where('key', '=', named)
    .executeTakeFirst()
  if (known) {
    if (known.status === 'SUBMITTED' && known.likeness === 'NONE') await show(applying, known.id, said.pictures)
    return
  }
  const { id } = await tx
    .insertInto('poster_share')
    .values({
      key: named,
      member_id: member.id,
      poster: withoutPhones(said.poster),
      platform: platformOf(said),
      period: weekOf(dayOf(now)),
      submitted_at: now,
      owner_id: member.ownerId,
      org_id: member.orgId,
      teacher_id: member.teacherId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await show(applying, id, said.pictures)
}

async function show(applying: Applying, id: string, pictures: readonly string[]): Promise<void> {
  if (pictures.length === 0) return
  const { tx } = applying
  await tx
    .updateTable('poster_share')
    .set({ picture: [...pictures], likeness: 'PENDING' })
    .where('id', '=', id)
    .execute()
  await attachSent(tx, 'app', pictures, resource.screen.key, id)
  await askToCompare(applying, id, pictures)
}

export const arriving = [posterShared]
