import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { memberOfUnionid, memberRecognised } from '#engines/identity/names.server.ts'
import { membersByPhone } from '#engines/lead/known.server.ts'
import { parsePhone } from '#kit/model/mask.ts'
import type { Change } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import { AskAgain, defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import { ask } from '#kit/server/change/question.ts'
import { openContacts } from './door.server.ts'
import { NOT_SAID } from './model.ts'
import type { Person } from './port.server.ts'

const DETAILS = 'contact-details'
type Payload = { readonly externalId: string }

/** Who somebody is: the platform is asked once this is stored, and may be asked as often as one likes. The key tells nobody who. */
export const askDetails = (change: Pick<Change, 'tx' | 'now'>, externalId: string) =>
  deliver(change, {
    kind: DETAILS,
    key: createHash('sha256').update(externalId).digest('hex'),
    payload: { externalId } satisfies Payload,
  })

export const learning = defineDelivery<Payload, Person | undefined>({
  kind: DETAILS,
  call: (app, { externalId }) =>
    openContacts(app)
      .person(externalId)
      .catch(error => {
        throw new AskAgain(String(error))
      }),
  async settle(change, { externalId }, person) {
    if (person) await learn(change, externalId, person)
  },
})

/** What the platform knows stands beside each colleague's contact; what somebody was called when they met is called as it is now. */
async function learn(change: Change, externalId: string, person: Person): Promise<void> {
  const { name, unionid, follows } = person
  await sql`
    update chat_contact c set name = coalesce(${name}, c.name), unionid = coalesce(${unionid}, c.unionid), remark = coalesce(f.remark, c.remark),
      add_way = case when c.add_way = ${NOT_SAID} then f."addWay" else c.add_way end, channel = coalesce(c.channel, f.state),
      version = c.version + 1
    from jsonb_to_recordset(${JSON.stringify(follows)}::jsonb) as f ("userId" text, "addWay" text, state text, remark text)
    join staff s on s.account = f."userId"
    where c.staff_id = s.id and c.external_id = ${externalId} and c.status not in ('DONE', 'LOST')`.execute(change.tx)
  const memberId = await memberOf(change, person)
  if (memberId !== undefined) await tie(change, memberId, sql`c.external_id = ${externalId}`)
}

/** By what the platform calls the person; else by a number a colleague has noted, where all of those are one member's. */
async function memberOf({ app, tx }: Change, { unionid, follows }: Person): Promise<string | undefined> {
  const named = await memberOfUnionid(tx, unionid ?? undefined)
  if (named !== undefined) return named
  const phones = follows.flatMap(follow => follow.phones.flatMap(typed => parsePhone(typed) ?? []))
  const members = new Set(phones.length === 0 ? [] : (await ask(app, membersByPhone, { tx, phones })).values())
  return members.size === 1 ? [...members][0] : undefined
}

/** Whose contact it is known to be, it stays. */
const tie = ({ tx }: Pick<Change, 'tx'>, memberId: string, contacts: RawBuilder<unknown>) =>
  sql`
    update chat_contact c set member_id = ${memberId}, version = c.version + 1 where c.member_id is null and ${contacts}`.execute(
    tx,
  )

/** A member is known under a name: so are the contacts that have waited for it. By a link, only where one person came by it and claimed by it. */
export const recognised = listen(memberRecognised, async (change, { memberId, unionid, state }) => {
  if (unionid !== undefined) await tie(change, memberId, sql`c.unionid = ${unionid}`)
  if (state !== undefined)
    await tie(
      change,
      memberId,
      sql`c.channel = ${state} and (select count(distinct o.external_id) from chat_contact o where o.channel = ${state}) = 1
        and not exists (
          select from member_identity i where i.kind = 'STATE' and i.value = ${state} and i.member_id <> ${memberId})`,
    )
})
