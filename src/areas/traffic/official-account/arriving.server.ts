import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import * as z from 'zod'
import { lockNames, memberOfUnionid, unionid } from '#engines/identity/names.server.ts'
import { nameLead } from '#engines/lead/known.server.ts'
import { arrive } from '#engines/lead/server.ts'
import { instant } from '#kit/model/field.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { type Applying, defineEvent, NotYet } from '#kit/server/live/event.ts'
import { answer } from './answering.server.ts'
import { EVENT_KINDS, type EventKind, type FollowEvent, foldFollowing } from './following.model.ts'
import { appId } from './model.ts'
import { type ReplyLine, replyTo } from './replies.model.ts'

const SOURCES = ['official-account'] as const
const who = {
  appId: appId(),
  // One that begins with a dash is of somebody who was forgotten.
  openid: z.string().regex(/^\w[\w-]{5,63}$/),
  at: instant(),
  /** What all of WeChat calls the person, where the account is bound to the company's others. */
  unionid: unionid.optional(),
}
/** What the code that was scanned tells. */
const state = z
  .string()
  .regex(/^[\w-]{1,64}$/)
  .optional()

type Account = {
  readonly id: string
  readonly channel: string
  readonly welcome: string
  readonly replies: ReplyLine[]
}
type Who = {
  readonly appId: string
  readonly openid: string
  readonly at: string
  readonly unionid?: string | undefined
}
type Told = {
  readonly kind: EventKind
  readonly state?: string | undefined
  readonly cameBy?: string | undefined
  readonly messageId?: string | undefined
}

/** Whoever tells of an account before it is entered here tells it again. One that is stopped answers nothing. */
async function accountOf({ tx }: Pick<Change, 'tx'>, named: string): Promise<Account> {
  const found = await tx
    .selectFrom('official_account')
    .select(['id', 'channel', 'status', 'welcome', 'replies'])
    .where('app_id', '=', named)
    .executeTakeFirst()
  if (!found) throw new NotYet(refuse('traffic/official-account:account-unknown'))
  const { id, channel, status, welcome, replies } = found
  if (status === 'STOPPED') return { id, channel, welcome: '', replies: [] }
  return { id, channel, welcome, replies: replies as ReplyLine[] }
}

/** Of codes made elsewhere nothing is known. */
async function sceneOf({ tx }: Pick<Change, 'tx'>, accountId: string, code: string | undefined) {
  if (code === undefined) return undefined
  return tx
    .selectFrom('account_scene')
    .select(['id', 'channel'])
    .where('account_id', '=', accountId)
    .where('state_code', '=', code)
    .executeTakeFirst()
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24)

/** What the platform calls a message leads to whoever wrote it: no more of it is kept than tells two apart. */
const keyOf = ({ messageId }: Told): string => (messageId === undefined ? '' : digestOf(messageId))

type Noted = { readonly followerId: string; readonly isNew: boolean }

/** Keeps what was told of somebody, once; how that person stands follows from all of it. The row is held, so that two at once wait for each other. */
async function note(change: Change, account: Account, who: Who, told: Told): Promise<Noted> {
  const { tx } = change
  const { openid, at, unionid: named } = who
  await lockNames(tx, { unionid: named })
  const memberId = (await memberOfUnionid(tx, named)) ?? null
  const scene = await sceneOf(change, account.id, told.state)
  const { rows } = await sql<{ id: string }>`
    insert into account_follower as f (account_id, openid, status, first_at, unionid, member_id)
    values (${account.id}, ${openid}, 'NEVER', ${at}, ${named ?? null}, ${memberId})
    on conflict (account_id, openid) do update set unionid = coalesce(f.unionid, excluded.unionid),
      member_id = coalesce(f.member_id, excluded.member_id) returning id`.execute(tx)
  const followerId = String(rows[0]?.id)
  const kept = await sql`
    insert into account_event (follower_id, kind, at, scene_id, came_by, message_key)
    values (${followerId}, ${told.kind}, ${at}, ${scene?.id ?? null}, ${told.cameBy ?? null}, ${keyOf(told)})
    on conflict do nothing returning kind`.execute(tx)
  if (kept.rows.length === 0) return { followerId, isNew: false }
  await stand(change, followerId)
  return { followerId, isNew: true }
}

/** Somebody may write for years: of what does not bring a person, the first and the last are all that is read. */
async function stand({ tx }: Pick<Change, 'tx'>, followerId: string): Promise<void> {
  const { rows } = await sql<FollowEvent>`
    select e.kind, (extract(epoch from e.at) * 1000)::float8 as "atMs", e.scene_id as "sceneId", e.came_by as "cameBy"
    from (
      select * from account_event where follower_id = ${followerId} and kind = 'SUBSCRIBE'
      union all
      select told.* from unnest(${EVENT_KINDS.filter(kind => kind !== 'SUBSCRIBE')}::text[]) as k (kind) cross join lateral (
        (select * from account_event where follower_id = ${followerId} and kind = k.kind order by at limit 1)
        union all
        (select * from account_event where follower_id = ${followerId} and kind = k.kind order by at desc limit 1)) told) e`.execute(
    tx,
  )
  const now = foldFollowing(rows)
  if (!now) return
  await sql`
    update account_follower set status = ${now.status}, scene_id = ${now.sceneId}, came_by = ${now.cameBy},
      first_at = ${new Date(now.firstMs)}, left_at = ${now.leftMs === null ? null : new Date(now.leftMs)}, times = ${now.times}
    where id = ${followerId}`.execute(tx)
}

const changeOf = ({ app, tx, now, key }: Applying): Change => ownChange(app, tx, now, `event:${key}`)

const subscribed = defineEvent({
  type: 'official-account.subscribed',
  sources: SOURCES,
  data: z.strictObject({
    ...who,
    state,
    cameBy: z
      .string()
      .regex(/^[A-Z_]{1,50}$/)
      .optional(),
  }),
  async apply(applying, { state: code, cameBy, ...person }) {
    const change = changeOf(applying)
    const account = await accountOf(change, person.appId)
    const { followerId, isNew } = await note(change, account, person, { kind: 'SUBSCRIBE', state: code, cameBy })
    const said = { kind: 'WELCOME', keyword: null, reply: account.welcome, at: new Date(person.at) } as const
    if (isNew) await answer(change, { accountId: account.id, followerId, ...said })
  },
})

const unsubscribed = defineEvent({
  type: 'official-account.unsubscribed',
  sources: SOURCES,
  data: z.strictObject(who),
  async apply(applying, person) {
    const change = changeOf(applying)
    await note(change, await accountOf(change, person.appId), person, { kind: 'UNSUBSCRIBE' })
  },
})

const scanned = defineEvent({
  type: 'official-account.scanned',
  sources: SOURCES,
  data: z.strictObject({ ...who, state }),
  async apply(applying, { state: code, ...person }) {
    const change = changeOf(applying)
    await note(change, await accountOf(change, person.appId), person, { kind: 'SCAN', state: code })
  },
})

/** Somebody typed something, or tapped an entry of the menu that stands for a word. What it was is not kept. */
const messaged = defineEvent({
  type: 'official-account.messaged',
  sources: SOURCES,
  data: z.strictObject({
    ...who,
    text: z.string().max(2_000),
    // As the platform numbers messages, which it tells to the second; an entry of the menu has none.
    messageId: z
      .string()
      .regex(/^[\w-]{1,64}$/)
      .optional(),
  }),
  unkept: ['text', 'messageId'],
  async apply(applying, { text, messageId, ...person }) {
    const change = changeOf(applying)
    const account = await accountOf(change, person.appId)
    const { followerId, isNew } = await note(change, account, person, { kind: 'MESSAGE', messageId })
    const found = isNew ? replyTo(account.replies, text) : undefined
    if (!found) return
    const said = { kind: 'KEYWORD', keyword: found.keyword, reply: found.reply, at: new Date(person.at) } as const
    await answer(change, { accountId: account.id, followerId, ...said })
  },
})

/** Whoever leaves a number on a page of ours has agreed to be called. */
const CAME = { name: null, source: 'OFFICIAL_ACCOUNT', consent: 'FORM', cameBy: 'FORM', owner: null } as const

/** By what a number came: it tells nobody who the person is on the platform. */
export const touchOf = (accountId: string, openid: string): string => `account:${accountId}:${digestOf(openid)}`

/**
 * Somebody left a number: the only way from an account to a lead, by the one door. It is a lead of the channel whose code brought
 * the person, as far as that is known by then.
 */
const numberLeft = defineEvent({
  type: 'official-account.number-left',
  sources: SOURCES,
  data: z.strictObject({
    ...who,
    phone: z
      .string()
      .max(40)
      .refine(typed => parsePhone(typed) !== undefined),
  }),
  async apply(applying, { phone: typed, ...person }) {
    const change = changeOf(applying)
    await lockNames(change.tx, person)
    const account = await accountOf(change, person.appId)
    const { rows } = await sql<{ channel: string }>`
      select s.channel from account_follower f join account_scene s on s.id = f.scene_id
      where f.account_id = ${account.id} and f.openid = ${person.openid}`.execute(change.tx)
    // Told late, it counts as of when it was left.
    const left = { key: touchOf(account.id, person.openid), at: new Date(person.at) }
    // The number first, as everybody locks it, then who left it.
    const [arrived] = await arrive(change, [
      { ...CAME, phone: parsePhone(typed) ?? '', channel: rows[0]?.channel ?? account.channel, ...left },
    ])
    const { followerId } = await note(change, account, person, { kind: 'NUMBER' })
    if (!arrived?.leadId) return
    await sql`
      update account_follower set lead_id = ${arrived.leadId} where id = ${followerId} and lead_id is null`.execute(
      change.tx,
    )
    if (person.unionid !== undefined) await nameLead(change, arrived.leadId, person.unionid)
  },
})

export const arriving = [subscribed, unsubscribed, scanned, messaged, numberLeft]
