import { changePhone, phoneOf } from '#areas/members/member/phone.server.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Application } from './model.ts'

/** A number of nobody else's; whether it is one is told under the limits of a phone search (`constraints`). */
export async function phoneAsked(op: Operation, application: Application): Promise<Partial<Application>> {
  const newPhone = parsePhone(String(application.newPhone))
  if (!newPhone) throw onField('newPhone', refuse('kit:phone-invalid'))
  if (newPhone === (await phoneOf(op, application.memberId))) throw onField('newPhone', refuse('phone-same'))
  if (await isTaken(op, newPhone)) throw onField('newPhone', refuse('phone-taken'))
  return { newPhone }
}

/** Somebody may have been quicker: the database has the last word. */
export async function grantPhone(
  op: Operation,
  { memberId, newPhone, applicationNo }: Application,
): Promise<Partial<Application>> {
  await changePhone(op, memberId, String(newPhone), applicationNo)
  return {}
}

const isTaken = async ({ tx }: Operation, phone: string): Promise<boolean> =>
  (await tx.selectFrom('member').select('id').where('phone', '=', phone).executeTakeFirst()) !== undefined
