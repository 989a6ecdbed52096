import * as z from 'zod'
import {
  ageGroupOf,
  isOptOut,
  PURPOSES,
  readBirthMonth,
  type Said,
  SPEAKERS,
  whyNotAgreed,
} from '#engines/consent/model.ts'
import {
  advertisingConsents,
  invariants as consentInvariants,
  countsAsSaid,
  endWords,
  keepWord,
  refuseNumber,
  standingOf,
} from '#engines/consent/server.ts'
import { consentOf } from '#engines/message/server.ts'
import { instant } from '#kit/model/field.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { EnteredWith } from '#kit/model/workflow.ts'
import type { App } from '#kit/server/app.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { type Operation, ownChange } from '#kit/server/change/operation.ts'
import { answer } from '#kit/server/change/question.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { type Applying, defineEvent, NotYet } from '#kit/server/live/event.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { attach } from '#kit/server/storage/file.ts'
import { child } from './consents/model.ts'
import { type Member, resource, type workflow } from './model.ts'
import { consentView } from './side.model.ts'
import { sideRoute } from './side.server.ts'

const consents = serveChild(child)

export const consentRoutes = (app: App) => [
  ...consents(app),
  sideRoute(app, {
    path: 'consent',
    answer: consentView,
    summary: 'What the member or the guardian agreed to or took back, by purpose; what nobody was asked is missing.',
    read: async ({ id }) =>
      Object.fromEntries([...(await standingOf(app.db.query, id))].map(([purpose, { act }]) => [purpose, act])),
  }),
]

/** How old the member is, as far as it matters, and which purposes nobody has agreed to who may. */
export async function consentOfMember(app: App, memberId: string): Promise<Member['consent']> {
  const found = app.db.query.selectFrom('member').select('birth_month').where('id', '=', memberId)
  const [row, standing] = await Promise.all([found.executeTakeFirst(), standingOf(app.db.query, memberId)])
  const birthMonth = row?.birth_month ?? null
  return {
    ageGroup: ageGroupOf(birthMonth, dayOf(app.clock.now())),
    missing: PURPOSES.filter(purpose => whyNotAgreed(standing.get(purpose), birthMonth) !== undefined),
  }
}

/** The month as it is stored; what is no month somebody can have been born in is refused at its field. */
export function birthMonthOf(typed: string | null | undefined, now: Date): string | null {
  if (typed == null) return null
  const read = readBirthMonth(typed, dayOf(now))
  if (read === undefined) throw onField('birthMonth', refuse('members/member:birth-month-wrong'))
  return read
}

/** What a pupil agreed to who was too young for it by the month that is known now, holds no more. */
export async function endTooEarly(
  op: Operation,
  { id, phone }: Pick<Member, 'id' | 'phone'>,
  birthMonth: string | null,
) {
  const evidence = op.app.texts.text(op.app.env.DEFAULT_LOCALE, 'members/member', 'birth-month-corrected')
  const ending = { memberId: id, phone: phone ?? '', way: 'AGE', saidAs: 'PUPIL', saidBy: '-', evidence } as const
  await endWords(op, ending, word => whyNotAgreed(word, birthMonth) === 'TOO_YOUNG')
}

/** A yes that would not count is not taken down: whoever reads it later would rely on it. */
const isTooYoung = (
  { saidAs, act, happenedAt }: Pick<Said, 'saidAs' | 'act' | 'happenedAt'>,
  birthMonth: string | null,
) => whyNotAgreed({ saidAs, act, happenedAt }, birthMonth) === 'TOO_YOUNG'

type Given = EnteredWith<typeof workflow, 'recordConsent'>

/** What a guardian or a pupil said on paper or by phone, written down with what shows it. Nobody says today what is to hold tomorrow. */
export async function recordConsent(op: Operation, member: Member, given: Given): Promise<void> {
  const { consentPurposes: purposes, consentAct: act, textVersion, saidAt } = given
  if (purposes.length === 0) throw onField('consentPurposes', refuse('purpose-missing'))
  if (act === 'GIVEN' && textVersion === null) throw onField('textVersion', refuse('wording-missing'))
  const happenedAt = new Date(saidAt)
  if (happenedAt > op.now) throw onField('saidAt', refuse('said-in-the-future'))
  const { consentWay: way, saidAs, saidBy, evidence, proof } = given
  const { birthMonth } = member
  if (isTooYoung({ saidAs, act, happenedAt }, birthMonth)) throw onField('saidAs', refuse('too-young'))
  await attach(op.tx, op.actor.id, { proof }, resource.screen.key, member.id)
  await keepWord(op, {
    ...{ memberId: member.id, phone: member.phone ?? '', purposes, act, way, saidAs, saidBy, happenedAt },
    ...{ evidence, proof, textVersion: act === 'GIVEN' ? textVersion : null },
  })
}

const AHEAD_MS = 5 * 60_000
const word = (max: number) => z.string().trim().min(1).max(max)
const id = z.string().regex(/^[1-9]\d{0,17}$/)
const said = {
  memberId: id,
  purposes: z.array(z.enum(PURPOSES)).min(1).max(PURPOSES.length),
  by: word(50),
  /** The guardian's where nothing is said. */
  as: z.enum(SPEAKERS).optional(),
}

type Spoken = Pick<Said, 'purposes' | 'act' | 'textVersion'> & {
  readonly memberId: string
  readonly by: string
  readonly as: Said['saidAs'] | undefined
  readonly at: string | undefined
}

/** Said in the app: what the app signed is the evidence, by the number of its event. */
async function heard({ app, tx, now, key }: Applying, spoken: Spoken) {
  const { memberId, purposes, act, textVersion, by: saidBy, as: saidAs = 'GUARDIAN', at } = spoken
  const happenedAt = at === undefined ? now : new Date(at)
  if (happenedAt.getTime() > now.getTime() + AHEAD_MS) throw new Refused(refuse('members/member:said-in-the-future'))
  const found = await locked(tx, memberId)
  if (found?.phone == null) throw new NotYet(refuse('members/member:member-unknown'))
  const { phone } = found
  if (isTooYoung({ saidAs, act, happenedAt }, found.birth_month)) throw new Refused(refuse('members/member:too-young'))
  const evidence = `event ${key}`.slice(0, 200)
  await keepWord(ownChange(app, tx, now, `event:${key}`), {
    ...{ memberId, phone, purposes, act, way: 'APP', saidAs, saidBy, textVersion, evidence, happenedAt },
  })
}

/** The member is locked, as by whoever speaks about one. */
const locked = (tx: Tx, memberId: string) =>
  tx.selectFrom('member').select(['phone', 'birth_month']).where('id', '=', memberId).forUpdate().executeTakeFirst()

const given = defineEvent({
  type: 'consent.given',
  sources: ['app'],
  data: z.strictObject({ ...said, textVersion: word(40), at: instant().optional() }),
  apply: (applying, { as, at, ...spoken }) => heard(applying, { ...spoken, as, at, act: 'GIVEN' }),
})

const withdrawn = defineEvent({
  type: 'consent.withdrawn',
  sources: ['app'],
  data: z.strictObject({ ...said, at: instant().optional() }),
  apply: (applying, { as, at, ...spoken }) =>
    heard(applying, { ...spoken, as, at, act: 'WITHDRAWN', textVersion: null }),
})

/** What people answer to text messages. Only a refusal means anything to us: the number gets no advertising any more. */
const replied = defineEvent({
  type: 'sms.replied',
  sources: ['sms'],
  data: z.strictObject({
    phone: z
      .string()
      .max(40)
      .refine(typed => parsePhone(typed) !== undefined),
    text: z.string().max(500),
    at: instant().optional(),
  }),
  unkept: ['text'],
  async apply({ app, tx, now, key }, { phone: typed, text, at }) {
    if (!isOptOut(text)) return
    const phone = parsePhone(typed) ?? ''
    const happenedAt = at === undefined || new Date(at) > now ? now : new Date(at)
    const found = tx.selectFrom('member').select(['id', 'guardian_name', 'name']).where('phone', '=', phone)
    const member = await found.forUpdate().executeTakeFirst()
    await refuseNumber(tx, phone, happenedAt)
    if (!member) return
    await keepWord(ownChange(app, tx, now, `event:${key}`), {
      ...{ memberId: member.id, phone, purposes: ['MARKETING'], act: 'WITHDRAWN', way: 'REPLY', textVersion: null },
      ...{
        saidAs: 'GUARDIAN',
        saidBy: member.guardian_name ?? member.name,
        evidence: `event ${key}`.slice(0, 200),
        happenedAt,
      },
    })
  },
})

export const events = [given, withdrawn, replied]

/** Who is asked before anybody is advertised to (decision 056). */
export const answers = [
  answer(consentOf, async (_app, { tx, memberId, phone }) => {
    const found = tx.selectFrom('member').select('phone').where('id', '=', memberId)
    const own = (await found.executeTakeFirst())?.phone ?? ''
    const consent = (await advertisingConsents(tx, [{ id: memberId, phone: own }])).get(memberId) ?? 'NONE'
    // A number of an audience that was written down earlier may be another's by now.
    return consent === 'GIVEN' && phone && phone !== own ? 'OTHER_NUMBER' : consent
  }),
]

export const invariants: readonly Invariant[] = [
  ...consentInvariants,
  {
    name: 'no yes of a pupil stands who was not fourteen when it was said, as far as anybody knows',
    query: `
      select c.id, c.member_id, c.purpose from consent c join member m on m.id = c.member_id
      where c.stands and not ${countsAsSaid('m.birth_month')}`,
  },
]
