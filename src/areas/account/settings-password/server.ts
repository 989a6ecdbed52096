import * as z from 'zod'
import { onField, type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import { hashPassword, isPassword } from '#kit/server/access/hash.ts'
import { type PasswordRules, rulesFor, whyNotPassword } from '#kit/server/access/password.ts'
import type { App } from '#kit/server/app.ts'
import { requireOwnPassword } from '#kit/server/auth/login.ts'
import { rememberPassword } from '#kit/server/auth/reset.ts'
import type { Call } from '#kit/server/call.ts'
import { record } from '#kit/server/change/audit.ts'
import { type Operation, operate } from '#kit/server/change/operation.ts'
import { type Routes, route } from '#kit/server/http/route.ts'
import { passwordChange, passwordRules } from './model.ts'

const NAME = 'account/settings-password'

export const routes: Routes = app => [
  route({
    method: 'GET',
    path: `/${NAME}`,
    access: 'session',
    texts: NAME,
    answer: passwordRules,
    summary: "What the caller's password must be.",
    handle: async call => rulesFor(app.env.SECURITY_PROFILE, call.actor.superAdmin),
  }),
  route({
    method: 'POST',
    path: `/${NAME}`,
    access: 'session',
    texts: NAME,
    body: passwordChange,
    answer: z.null(),
    summary: 'Changes the password and ends every other session of the caller.',
    async handle(call, { body }) {
      const rules = rulesFor(app.env.SECURITY_PROFILE, call.actor.superAdmin)
      await requireGoodPassword(app, call, body.password, rules)
      const { hash: before } = await requireOwnPassword(app, call, body.oldPassword)
      await requireNewPassword(app, call.actor.id, body, rules)
      const after = await hashPassword(body.password)
      await operate(app, call, op => change(op, before, after, rules))
      return null
    },
  }),
]

/** Asked before the old password is looked at: a weak new one costs none of the five attempts. */
async function requireGoodPassword(
  app: App,
  { actor }: Call<'session'>,
  password: string,
  rules: PasswordRules,
): Promise<void> {
  const { account, name, name_pinyin, phone, email } = await app.db.query
    .selectFrom('staff')
    .select(['account', 'name', 'name_pinyin', 'phone', 'email'])
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow()
  const own = [account, name, name_pinyin, phone ?? '', email?.split('@')[0] ?? '']
  const refusal = whyNotPassword(password, rules, own)
  if (refusal) throw refused(refusal)
}

async function requireNewPassword(
  app: App,
  staffId: string,
  typed: z.infer<typeof passwordChange>,
  rules: PasswordRules,
): Promise<void> {
  if (typed.password === typed.oldPassword) throw refused(refuse('kit/server/auth:password-same'))
  const earlier = await app.db.query
    .selectFrom('password_history')
    .select('hash')
    .where('staff_id', '=', staffId)
    .orderBy('id', 'desc')
    .limit(rules.remembered - 1)
    .execute()
  for (const { hash } of earlier) {
    if (await isPassword(typed.password, hash))
      throw refused(refuse('kit/server/auth:password-used', { count: rules.remembered }))
  }
}

const refused = (refusal: Refusal): Refused => onField('password', refusal)

async function change(
  { app, tx, actor, call, now }: Operation,
  before: string,
  after: string,
  rules: PasswordRules,
): Promise<void> {
  const changed = await tx
    .updateTable('staff')
    .set({ password_hash: after, password_set_at: now, must_change: false })
    .where('id', '=', actor.id)
    // Of two changes at once one holds; the other's old password is no longer the old one.
    .where('password_hash', '=', before)
    .returning('id')
    .executeTakeFirst()
  if (!changed) throw new Refused(refuse('kit/server/auth:password-changed-meanwhile'), 'conflict')
  await rememberPassword(tx, actor.id, before, now, rules.remembered - 1)
  await app.sessions.endAllOf(tx, actor.id, 'PASSWORD', call.sessionId as string)
  await app.sessions.changed(tx, [actor.id])
  await record(tx, call, { page: NAME, action: 'update', recordId: actor.id })
}
