import * as z from 'zod'
import { findMember, type KnownMember, type Pupil } from '#areas/members/member/known.server.ts'
import { markSeen } from '#areas/members/member/seen.server.ts'
import { saidOfMember, tellOfMember, word } from '#areas/members/member/telling.server.ts'
import { leadsTried } from '#engines/lead/ending.server.ts'
import { nextNumber } from '#engines/sequence/server.ts'
import { PUSHES } from '#kit/model/contract.ts'
import { instant } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { type Applying, defineEvent, NotYet } from '#kit/server/live/event.ts'
import { attachSent } from '#kit/server/live/sent-file.ts'
import { type Kind, MAX_PICTURES, MAX_SECONDS } from './comment.model.ts'
import { RESOURCES } from './resources.model.ts'
import { triaged } from './triage.server.ts'

/** How far a phone's clock may be ahead of ours. */
const AHEAD_MS = 5 * 60_000

/** What a pupil handed in. */
type HandedIn = {
  readonly opusId: string
  readonly kind: Kind
  readonly lesson: string
  readonly characters: string | null
  readonly pictures: readonly string[]
  /** Its film, where it is one. */
  readonly film?: { readonly id: string; readonly seconds: number }
  readonly at: Date
}

const pictures = z.array(z.uuid()).max(MAX_PICTURES)
const HAN = /\p{Script=Han}/gu

/**
 * One row for each work of the app, however often it is told. What was sent back or judged before at the same lesson is the
 * attempt before this one.
 */
async function handIn(applying: Applying, member: KnownMember, work: HandedIn): Promise<void> {
  const { app, tx, now } = applying
  const { opusId, kind, lesson, characters, pictures: ids, film, at } = work
  const medium = film ? 'VIDEO' : 'PICTURE'
  // The member is locked: the same work does not come in twice at once.
  const known = await tx
    .selectFrom('work')
    .select(['id', 'status', 'medium', 'picture'])
    .where('member_id', '=', member.id)
    .where('opus_id', '=', opusId)
    .executeTakeFirst()
  if (known) {
    // Asked for first, and written later: its page comes with the second word of it.
    if (known.status !== 'SUBMITTED' || known.medium === 'VIDEO' || known.picture.length > 0 || ids.length === 0) return
    await tx
      .updateTable('work')
      .set({ picture: [...ids], submitted_at: at })
      .where('id', '=', known.id)
      .execute()
    await attachSent(tx, 'app', ids, RESOURCES.PICTURE.screen.key, known.id)
    return
  }
  await leadsTried(applying, member.id)
  const last = await tx
    .selectFrom('work')
    .select(['id', 'attempt'])
    .where('member_id', '=', member.id)
    .where('medium', '=', medium)
    .where('kind', '=', kind)
    .where('lesson', '=', lesson)
    .orderBy('submitted_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { id } = await tx
    .insertInto('work')
    .values({
      no: await nextNumber({ app, now }, 'W'),
      opus_id: opusId,
      member_id: member.id,
      medium,
      kind,
      lesson,
      attempt: (last?.attempt ?? 0) + 1,
      before_id: last?.id ?? null,
      characters,
      character_count: characters?.match(HAN)?.length ?? 0,
      picture: [...ids],
      video: film ? [film.id] : [],
      duration_seconds: film?.seconds ?? null,
      submitted_at: at,
      owner_id: member.ownerId,
      owner_then: member.ownerId,
      org_id: member.orgId,
      teacher_id: member.teacherId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { key } = RESOURCES[medium].screen
  await attachSent(tx, 'app', ids, key, id)
  if (film) await attachSent(tx, 'app', [film.id], key, id, 'video')
  await markSeen(tx, member.id, 'last_work_at', at)
  await triaged(ownChange(app, tx, now, `event:${applying.key}`), id)
}

function toldAt(now: Date, at: string | undefined): Date {
  const when = at === undefined ? now : new Date(at)
  if (when.getTime() > now.getTime() + AHEAD_MS) throw new Refused(refuse('members/work:not-yet'))
  return when
}

/** Whose work it is. The registration may be still on its way: the work waits for it. */
async function pupilOf({ tx }: Applying, by: Pupil): Promise<KnownMember> {
  const member = await findMember(tx, by)
  if (!member) throw new NotYet(refuse('members/member:member-unknown'))
  return member
}

const submitted = defineEvent({
  type: 'opus.submitted',
  sources: ['app'],
  data: saidOfMember({
    opusId: word(64),
    kind: z.enum(['HOMEWORK', 'PRACTICE']),
    lesson: word(100),
    characters: word(200).optional(),
    pictures: pictures.min(1),
    at: instant().optional(),
  }),
  async apply(applying, { memberId, phone, characters = null, at, ...work }) {
    const member = await pupilOf(applying, { memberId, phone })
    await handIn(applying, member, { ...work, characters, at: toldAt(applying.now, at) })
  },
})

/** A film of the pupil writing, with its length and perhaps a cover. */
const filmSubmitted = defineEvent({
  type: 'opus.video-submitted',
  sources: ['app'],
  data: saidOfMember({
    opusId: word(64),
    kind: z.enum(['HOMEWORK', 'PRACTICE', 'POSTURE', 'GRIP']).default('PRACTICE'),
    lesson: word(100),
    characters: word(200).optional(),
    video: z.uuid(),
    seconds: z.int().min(1).max(MAX_SECONDS),
    cover: z.uuid().optional(),
    at: instant().optional(),
  }),
  async apply(applying, { memberId, phone, characters = null, at, video, seconds, cover, ...work }) {
    const member = await pupilOf(applying, { memberId, phone })
    await handIn(applying, member, {
      ...work,
      characters,
      pictures: cover === undefined ? [] : [cover],
      film: { id: video, seconds },
      at: toldAt(applying.now, at),
    })
  },
})

/** Sitting and holding the pen: a picture of the pupil, told to those in charge. */
const postureSubmitted = defineEvent({
  type: PUSHES[11].event,
  sources: ['app'],
  data: saidOfMember({
    opusId: word(64),
    kind: z.enum(['POSTURE', 'GRIP']).default('POSTURE'),
    lesson: word(100).optional(),
    pictures: pictures.default([]),
  }),
  async apply(applying, { memberId, phone, opusId, kind, lesson, pictures: ids }) {
    const { app, tx, now, key } = applying
    const member = await pupilOf(applying, { memberId, phone })
    const named = lesson ?? app.texts.text(app.env.DEFAULT_LOCALE, 'members/work', `kind.${kind}`)
    await handIn(applying, member, { opusId, kind, lesson: named, characters: null, pictures: ids, at: now })
    await tellOfMember(app, tx, { type: 11, key, content: { opusId }, member, phone })
  },
})

/** A copybook of the pupil's own: what is to be written, and the page once it is. */
const copybookRequested = defineEvent({
  type: PUSHES[5].event,
  sources: ['app'],
  data: saidOfMember({ text: word(200), opusId: word(64).optional(), pictures: pictures.default([]) }),
  async apply(applying, { memberId, phone, text, opusId, pictures: ids }) {
    const { app, tx, now, key } = applying
    const member = await pupilOf(applying, { memberId, phone })
    const lesson = app.texts.text(app.env.DEFAULT_LOCALE, 'members/work', 'kind.COPYBOOK')
    const named = opusId ?? key.slice(-64)
    await handIn(applying, member, {
      opusId: named,
      kind: 'COPYBOOK',
      lesson,
      characters: text,
      pictures: ids,
      at: now,
    })
    await tellOfMember(app, tx, { type: 5, key, content: { text }, member, phone })
  },
})

export const events = [submitted, filmSubmitted, postureSubmitted, copybookRequested]
