import { changePreference, preferenceOf } from '#areas/account/preference/server.ts'
import { type Actor, mayOpen } from '#kit/model/actor.ts'
import { NOTIFYING_PUSHES, PUSHES } from '#kit/model/contract.ts'
import { type Routes, route } from '#kit/server/http/route.ts'
import { type Notifications, notificationChange, notifications } from './model.ts'

const NAME = 'account/settings-notifications'

export const routes: Routes = app => [
  route({
    method: 'GET',
    path: `/${NAME}`,
    access: 'session',
    texts: NAME,
    answer: notifications,
    summary: 'Which kinds of push the caller can get, and which of them pop up no more.',
    handle: async ({ actor }) => answerOf(actor, (await preferenceOf(app, actor.id)).mutedPushes),
  }),
  route({
    method: 'PUT',
    path: `/${NAME}`,
    access: 'session',
    texts: NAME,
    body: notificationChange,
    answer: notifications,
    summary: 'Mutes these kinds, and no others.',
    handle: async ({ actor }, { body }) =>
      answerOf(actor, (await changePreference(app, actor.id, { mutedPushes: [...new Set(body.muted)] })).mutedPushes),
  }),
]

const answerOf = (actor: Actor, muted: Notifications['muted'] = []): Notifications => ({
  offered: NOTIFYING_PUSHES.filter(type => PUSHES[type].page !== null && mayOpen(actor, PUSHES[type].page)),
  muted,
})
