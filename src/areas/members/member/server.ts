import * as z from 'zod'
import { standsIn } from '#areas/organisation/department/closing.server.ts'
import { sharersOf } from '#engines/identity/names.server.ts'
import { spokenTo } from '#engines/lead/owning.server.ts'
import { can } from '#kit/model/actor.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { announce } from '#kit/server/change/announce.ts'
import { requireOffered } from '#kit/server/change/given.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { ask, defineQuestion } from '#kit/server/change/question.ts'
import type { Row } from '#kit/server/database/database.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { spellingOf } from '#kit/server/text/pinyin.ts'
import { answers as chosenAnswers } from './chosen.server.ts'
import { listeners as closingListeners } from './closing.server.ts'
import {
  birthMonthOf,
  answers as consentAnswers,
  events as consentEvents,
  invariants as consentInvariants,
  consentOfMember,
  consentRoutes,
  endTooEarly,
  recordConsent,
} from './consent.server.ts'
import { invariants as creditInvariants, listeners as creditListeners } from './credit.server.ts'
import { contactOf, followUpAnswers, followUpListeners, followUpRoutes, noteFollowUp } from './follow-up.server.ts'
import { give, requireWhole } from './giving.server.ts'
import {
  handBack,
  handOver,
  memberTaught,
  ownerHistoryRoute,
  invariants as ownerInvariants,
  placeOf,
  writeOwnerChange,
} from './handing-over.server.ts'
import {
  answers as holdingAnswers,
  invariants as holdingInvariants,
  jobs as holdingJobs,
  listeners as holdingListeners,
} from './holding.server.ts'
import { leadPathRoute } from './lead-path.server.ts'
import {
  answers as leadAnswers,
  invariants as leadInvariants,
  listeners as leadListeners,
  underNumber,
} from './leads.server.ts'
import { ledgerRoute, lessonRoutes, lotRoutes, pauseOf } from './ledger.server.ts'
import { type Member, resource, workflow } from './model.ts'
import { correctOrigin, invariants as originInvariants } from './origin.server.ts'
import { invariants as ownersInvariants, listeners as ownersListeners } from './owners.server.ts'
import { answers as pupilAnswers } from './pupils.server.ts'
import { registered } from './registering.server.ts'
import { retagged, listeners as taggingListeners } from './tagging.server.ts'
import { memberEvent } from './telling.server.ts'

const served = serve(resource, {
  workflow,
  async store(op, input, before, write) {
    if (before?.status === 'CLOSED') throw new Refused(refuse('member-closed'))
    const spelled = await spellingOf(input.name)
    const named = { ...input, namePinyin: spelled.name_pinyin, nameInitials: spelled.name_initials }
    // Left out, it was read masked and stays as it is.
    const isKept = before && input.birthMonth === undefined
    const birthMonth = isKept ? undefined : birthMonthOf(input.birthMonth, op.now)
    if (!before) return addMember(op, { ...named, birthMonth: birthMonth ?? null }, write)
    if (birthMonth !== undefined) await endTooEarly(op, before, birthMonth)
    return write(birthMonth === undefined ? named : { ...named, birthMonth })
  },
  effects: {
    assignOwner: (op, member, { newOwnerId, reason }) => handOver(op, member, newOwnerId, reason ?? ''),
    async bindTeacher(op, member, { teacherId }) {
      await placeOf(op.tx, teacherId, 'teacherId')
      await announce(op, memberTaught, { memberIds: [member.id], teacherId })
      return { teacherId }
    },
    tag: async (_op, member, { addTags, removeTags }) => ({
      tags: retagged(member.tags, addTags, removeTags),
    }),
    correctOrigin,
    gift: give,
    recordConsent,
    async noteFollowUp(op, member, noted) {
      await noteFollowUp(op, { memberId: member.id }, noted)
      await spokenTo(op, member.id, noted.followUpKind, noted.nextAt)
    },
  },
  undo: { assignOwner: handBack, bindTeacher: requireTeacherStill },
  entered: {
    gift: (_op, asked) => requireWhole(asked),
  },
  constraints: { member_phone: { code: 'phone-taken', field: 'phone' } },
  async detail(app, { id }) {
    const [risks, contact, pause, consent] = await Promise.all([
      risksOf(app, id),
      contactOf(app, id),
      pauseOf(app, id),
      consentOfMember(app, id),
    ])
    return { risks, contact, pause, consent }
  },
})

export const routes: Routes = app => [
  ...served(app),
  ledgerRoute(app),
  ...lotRoutes(app),
  ...lessonRoutes(app),
  ownerHistoryRoute(app),
  leadPathRoute(app),
  ...followUpRoutes(app),
  ...consentRoutes(app),
]

/** Whose job it is no longer does not get the pupil back. */
async function requireTeacherStill(op: Operation, member: Member, { teacherId }: Partial<Member>): Promise<void> {
  const form = { page: resource.screen.key, shape: workflow.steps.bindTeacher.input }
  if (teacherId) {
    await requireOffered(op, form, { teacherId })
    await placeOf(op.tx, teacherId, 'teacherId')
  }
  await announce(op, memberTaught, { memberIds: [member.id], teacherId: teacherId ?? null })
}

/** By hand a member begins with whoever enters it, or with a colleague, by those who may assign owners anyway. */
async function addMember(op: Operation, input: Member, write: (fields: Row) => Promise<string>): Promise<string> {
  const phone = parsePhone(input.phone ?? '')
  if (!phone) throw onField('phone', refuse('kit:phone-invalid'))
  const mayAssign = can(op.actor, resource.screen.key, 'assignOwner')
  const id = await underNumber(op, { phone }, async origin => {
    // Whoever follows the number already has the member, unless somebody who may say so says otherwise.
    const led = mayAssign && input.ownerId ? undefined : origin?.owner?.id
    const owner = await placeOf(op.tx, led ?? input.ownerId ?? op.actor.id, 'ownerId')
    if (!led && owner.id !== op.actor.id && !mayAssign) throw onField('ownerId', refuse('owner-not-yours'))
    // Where the number was known, it is known where it came from: nobody enters another origin over that.
    const { source, channel } = origin ?? input
    const held = { ownerId: owner.id, orgId: owner.orgId, ownerSince: op.now }
    const made = await write({ ...input, phone, source, channel, ...held })
    await writeOwnerChange(op, { memberId: made, fromId: null, toId: owner.id, reason: '' })
    return made
  })
  return id as string
}

type OpenRefunds = { readonly count: number; readonly fen: number }

/** Refunds of a member that are under way: orders know. */
export const refundsUnderWay = defineQuestion<{ memberId: string }, OpenRefunds>('member-refunds-under-way')

/** Whoever asked for them: somebody who calls should know. */
async function risksOf(app: App, memberId: string): Promise<Member['risks']> {
  const [{ count, fen }, sameWechat] = await Promise.all([
    ask(app, refundsUnderWay, { memberId }),
    sharersOf(app, memberId),
  ])
  return { openRefunds: count, openRefundFen: fen, sameWechat }
}

export const events = [
  registered,
  memberEvent(10, ['app'], { waiting: z.int().min(1).max(1_000_000) }),
  ...consentEvents,
]

export const answers = [
  ...holdingAnswers,
  ...chosenAnswers,
  ...pupilAnswers,
  ...leadAnswers,
  ...consentAnswers,
  ...followUpAnswers,
]
export const jobs = holdingJobs
/** Leads before members, as whoever registers locks them: a member who comes of a lead meanwhile is found among its owner's. */
export const listeners = [
  standsIn({ what: resource.screen.name, table: resource.table, where: `t.status <> 'CLOSED'` }),
  ...holdingListeners,
  ...leadListeners,
  ...followUpListeners,
  ...ownersListeners,
  ...closingListeners,
  ...taggingListeners,
  ...creditListeners,
]
export const invariants = [
  ...ownerInvariants,
  ...ownersInvariants,
  ...holdingInvariants,
  ...leadInvariants,
  ...consentInvariants,
  ...creditInvariants,
  ...originInvariants,
]
