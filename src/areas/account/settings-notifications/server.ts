import type { Preference } from '#areas/account/preference/model.ts'
import { changePreference, preferenceOf } from '#areas/account/preference/server.ts'
import { send, ships } from '#engines/message/server.ts'
import { type Actor, mayOpen } from '#kit/model/actor.ts'
import { NOTIFYING_PUSHES, PUSHES } from '#kit/model/contract.ts'
import type { Change } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import { askedDecided, type DecidedOn, decidedInWords } from '#kit/server/change/decision.ts'
import { type Routes, route } from '#kit/server/http/route.ts'
import { type Notifications, notificationChange, notifications } from './model.ts'
import { requestDecided } from './request-decided.model.ts'

const NAME = 'account/settings-notifications'

export const routes: Routes = app => [
  route({
    method: 'GET',
    path: `/${NAME}`,
    access: 'session',
    texts: NAME,
    answer: notifications,
    summary:
      'Which kinds of push the caller can get, which of them pop up no more, and whether decisions come by mail.',
    handle: async ({ actor }) => answerOf(actor, await preferenceOf(app, actor.id)),
  }),
  route({
    method: 'PUT',
    path: `/${NAME}`,
    access: 'session',
    texts: NAME,
    body: notificationChange,
    answer: notifications,
    summary: 'Mutes these kinds, and no others; and says whether decisions come by mail.',
    handle: async ({ actor }, { body: { muted, ...mail } }) =>
      answerOf(actor, await changePreference(app, actor.id, { mutedPushes: [...new Set(muted)], ...mail })),
  }),
]

const answerOf = (actor: Actor, { mutedPushes: muted = [], mailDecisions = false }: Preference): Notifications => ({
  offered: NOTIFYING_PUSHES.filter(type => PUSHES[type].page !== null && mayOpen(actor, PUSHES[type].page)),
  muted,
  mailDecisions,
})

/** In the language of the house: mail is read by whoever stands beside, and names nothing but the screen. */
async function mailDecision(change: Change, decided: DecidedOn): Promise<void> {
  const { email, preference, status } = await change.tx
    .selectFrom('staff')
    .select(['email', 'preference', 'status'])
    .where('id', '=', decided.staffId)
    .executeTakeFirstOrThrow()
  if (status !== 'ENABLED' || (preference as Preference).mailDecisions !== true) return
  await send(change, requestDecided, {
    to: { staffId: decided.staffId, address: email },
    values: decidedInWords(change.app, decided, 'zh-CN'),
    about: `decided:${decided.logId}`,
  })
}

export const listeners = [ships(requestDecided), listen(askedDecided, mailDecision)]
