import { sql } from 'kysely'
import * as z from 'zod'
import type { App, Change } from '#kit/server/app.ts'
import { defineAnnouncement } from '#kit/server/change/announce.ts'
import type { Tx } from '#kit/server/database/database.ts'

/** What all of the WeChat family calls a person, and the link by which somebody claimed a course. */
export type Names = { readonly unionid?: string | undefined; readonly state?: string | undefined }

/** As events say it. */
export const unionid = z.string().trim().min(1).max(128)

/** The app knows who a member is outside, from that time on; and, where it was told so, by which order of a platform. */
export type Recognised = Names & {
  readonly memberId: string
  readonly at: Date
  readonly order?: { readonly shop: string; readonly orderNo: string } | undefined
}
/** Whatever waits for a person under one of these names is the member's. Told before the member is locked: what is locked before members is locked then. */
export const memberRecognised = defineAnnouncement<Recognised>('member-recognised')

/**
 * Whoever tells of something under a name, and whoever says whose name it is, wait for each other: neither sees what the other
 * has not committed, and what was told would wait for its person for ever. Taken before any row.
 */
export async function lockNames(
  tx: Tx,
  { unionid, state }: { readonly [Name in keyof Names]: unknown },
): Promise<void> {
  for (const name of [unionid && `unionid ${unionid}`, state && `state ${state}`])
    if (name) await sql`select pg_advisory_xact_lock(hashtextextended(${`platform-name ${name}`}, 0))`.execute(tx)
}

/** A name is the member's from the earliest it is told of. One that is another member's too is of both, and people are told. */
export async function keepNames({ tx }: Pick<Change, 'tx'>, { memberId, at, ...names }: Recognised): Promise<void> {
  const kept = [
    ['UNIONID', names.unionid],
    ['STATE', names.state],
  ] as const
  for (const [kind, value] of kept) {
    if (value === undefined) continue
    await tx
      .insertInto('member_identity')
      .values({ kind, value, member_id: memberId, told_at: at })
      .onConflict(conflict =>
        conflict
          .columns(['kind', 'value', 'member_id'])
          .doUpdateSet({ told_at: sql`least(member_identity.told_at, excluded.told_at)` }),
      )
      .execute()
  }
}

/** Whom a name means, the person's own before the link's: of several members whoever it was first told of. */
export const membersNamed = (tx: Tx, { unionid, state }: Names) =>
  tx
    .selectFrom('member_identity')
    .select(['kind', 'member_id', 'told_at'])
    .where(eb =>
      eb.or([
        eb.and([eb('kind', '=', 'UNIONID'), eb('value', '=', unionid ?? '')]),
        eb.and([eb('kind', '=', 'STATE'), eb('value', '=', state ?? '')]),
      ]),
    )
    .orderBy('kind', 'desc')
    .orderBy('told_at')
    .orderBy('member_id')
    .execute()

/** Who the person is that WeChat calls so. */
export async function memberOfUnionid(tx: Tx, unionid: string | undefined): Promise<string | undefined> {
  const [first] = unionid === undefined ? [] : await membersNamed(tx, { unionid })
  return first?.member_id
}

/**
 * How many others have the WeChat of this member: members, brothers and sisters mostly or one pupil entered twice, and numbers
 * still followed as somebody else's. Nobody is made one with anybody for that: whoever looks at the member is told.
 */
export async function sharersOf({ db }: Pick<App, 'db'>, memberId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with own as (select value from member_identity where member_id = ${memberId} and kind = 'UNIONID')
    select (select count(distinct o.member_id) from own join member_identity o on o.kind = 'UNIONID' and o.value = own.value
        where o.member_id <> ${memberId})::int
      + (select count(*) from own join lead l on l.unionid = own.value where l.ended_at is null and l.member_id is null)::int as n`.execute(
    db.query,
  )
  return rows[0]?.n ?? 0
}
