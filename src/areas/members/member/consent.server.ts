import * as z from 'zod'
import { isOptOut, PURPOSES, type Said } from '#engines/consent/model.ts'
import {
  advertisingConsent,
  invariants as consentInvariants,
  keepWord,
  refuseNumber,
  standingOf,
} from '#engines/consent/server.ts'
import { consentOf } from '#engines/message/server.ts'
import { instant } from '#kit/model/field.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { EnteredWith } from '#kit/model/workflow.ts'
import type { App } from '#kit/server/app.ts'
import { type Operation, ownChange } from '#kit/server/change/operation.ts'
import { answer } from '#kit/server/change/question.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { type Applying, defineEvent, NotYet } from '#kit/server/live/event.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { child } from './consents/model.ts'
import type { Member, workflow } from './model.ts'
import { consentView } from './side.model.ts'
import { sideRoute } from './side.server.ts'

const consents = serveChild(child)

export const consentRoutes = (app: App) => [
  ...consents(app),
  sideRoute(app, {
    path: 'consent',
    answer: consentView,
    summary: "What the member's guardian agreed to or took back, by purpose; what nobody was asked is missing.",
    read: async ({ id }) => Object.fromEntries(await standingOf(app.db.query, id)),
  }),
]

type Given = EnteredWith<typeof workflow, 'recordConsent'>

/** What a guardian said on paper or by phone, written down with what shows it. Nobody says today what is to hold tomorrow. */
export async function recordConsent(op: Operation, member: Member, given: Given): Promise<void> {
  const { consentPurposes: purposes, consentAct: act, textVersion, saidAt } = given
  if (purposes.length === 0) throw onField('consentPurposes', refuse('purpose-missing'))
  if (act === 'GIVEN' && textVersion === null) throw onField('textVersion', refuse('wording-missing'))
  const happenedAt = new Date(saidAt)
  if (happenedAt > op.now) throw onField('saidAt', refuse('said-in-the-future'))
  const { consentWay: way, saidBy, evidence } = given
  await keepWord(op, {
    ...{ memberId: member.id, phone: member.phone ?? '', purposes, act, way, saidBy, evidence, happenedAt },
    textVersion: act === 'GIVEN' ? textVersion : null,
  })
}

const AHEAD_MS = 5 * 60_000
const word = (max: number) => z.string().trim().min(1).max(max)
const id = z.string().regex(/^[1-9]\d{0,17}$/)
const said = { memberId: id, purposes: z.array(z.enum(PURPOSES)).min(1).max(PURPOSES.length), by: word(50) }

type Spoken = Pick<Said, 'purposes' | 'act' | 'textVersion'> & {
  readonly memberId: string
  readonly by: string
  readonly at: string | undefined
}

/** A guardian said so in the app: what the app signed is the evidence, by the number of its event. */
async function heard({ app, tx, now, key }: Applying, { memberId, purposes, act, textVersion, by, at }: Spoken) {
  const happenedAt = at === undefined ? now : new Date(at)
  if (happenedAt.getTime() > now.getTime() + AHEAD_MS) throw new Refused(refuse('members/member:said-in-the-future'))
  const phone = await numberOf(tx, memberId)
  if (phone === undefined) throw new NotYet(refuse('members/member:member-unknown'))
  const evidence = `event ${key}`.slice(0, 200)
  await keepWord(ownChange(app, tx, now, `event:${key}`), {
    ...{ memberId, phone, purposes, act, way: 'APP', saidBy: by, textVersion, evidence, happenedAt },
  })
}

/** Locks the member, as whoever speaks about one does. */
async function numberOf(tx: Tx, memberId: string): Promise<string | undefined> {
  const found = tx.selectFrom('member').select('phone').where('id', '=', memberId).forUpdate()
  return (await found.executeTakeFirst())?.phone ?? undefined
}

const given = defineEvent({
  type: 'consent.given',
  sources: ['app'],
  data: z.strictObject({ ...said, textVersion: word(40), at: instant().optional() }),
  apply: (applying, { textVersion, at, ...spoken }) => heard(applying, { ...spoken, act: 'GIVEN', textVersion, at }),
})

const withdrawn = defineEvent({
  type: 'consent.withdrawn',
  sources: ['app'],
  data: z.strictObject({ ...said, at: instant().optional() }),
  apply: (applying, { at, ...spoken }) => heard(applying, { ...spoken, act: 'WITHDRAWN', textVersion: null, at }),
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
      ...{ saidBy: member.guardian_name ?? member.name, evidence: `event ${key}`.slice(0, 200), happenedAt },
    })
  },
})

export const events = [given, withdrawn, replied]

/** Who is asked before anybody is advertised to (decision 056). */
export const answers = [
  answer(consentOf, async (_app, { tx, memberId }) => {
    const found = tx.selectFrom('member').select('phone').where('id', '=', memberId)
    return advertisingConsent(tx, memberId, (await found.executeTakeFirst())?.phone ?? '')
  }),
]

export const invariants = consentInvariants
