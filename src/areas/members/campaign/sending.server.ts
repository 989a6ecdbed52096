import { type Selectable, sql } from 'kysely'
import { afterQuiet } from '#engines/message/model.ts'
import { advertisingTerms, type Moved, messageMoved, messageWanted } from '#engines/message/server.ts'
import type { Change, Listener } from '#kit/server/app.ts'
import { announce, listen } from '#kit/server/change/announce.ts'
import { defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import { ask } from '#kit/server/change/question.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { run } from '#kit/server/database/database.ts'
import type { Schema } from '#kit/server/database/schema.gen.ts'
import { NAME_HOLE, resource } from './model.ts'
import type { CampaignNumber } from './numbers/model.ts'

const KIND = 'campaign'
/** So many are handed to the messaging at once, and no more than so many wait there: whoever pauses stops nearly all. */
const CHUNK = 50
const MOST_UNDER_WAY = 200
const EVERY_MS = 1_000
const BUSY_MS = 5_000

type Status = CampaignNumber['status']
type Stored = Selectable<Schema['campaign']>

/** What the rows of a campaign are counted by. */
const COUNTED: Readonly<Record<Status, string>> = {
  WAITING: 'to_send',
  SENDING: 'under_way',
  SENT: 'sent',
  DELIVERED: 'delivered',
  FAILED: 'failed',
  UNKNOWN: 'unknown',
  WITHHELD: 'withheld',
  CANCELLED: 'cancelled',
}

export const goOn = ({ tx, now }: Pick<Change, 'tx' | 'now'>, id: string, dueAt: Date) =>
  deliver({ tx, now }, { kind: KIND, key: id, payload: { id }, dueAt })

/** Hands the next of a campaign's numbers to the messaging, and comes again while there are more. Nothing is said to anybody here. */
export const sending = defineDelivery<{ readonly id: string }, null>({
  kind: KIND,
  call: async () => null,
  settle: (change, { id }) => handNext(change, id),
})

async function handNext(change: Change, id: string): Promise<void> {
  const { app, tx, now } = change
  const later = (ms: number) => goOn(change, id, new Date(now.getTime() + ms))
  const campaign = await tx.selectFrom('campaign').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (campaign?.status !== 'SCHEDULED' && campaign?.status !== 'SENDING') return
  const open = afterQuiet(now, await ask(app, advertisingTerms, { db: tx }))
  if (open > now) return void (await goOn(change, id, open))
  if (campaign.status === 'SCHEDULED') await start(change, campaign)
  if (campaign.under_way >= MOST_UNDER_WAY) return void (await later(BUSY_MS))
  const next = await tx
    .selectFrom('campaign_number')
    .select(['member_id', 'phone', 'name', 'attempt'])
    .where('campaign_id', '=', id)
    .where('status', '=', 'WAITING')
    .orderBy('id')
    .limit(CHUNK)
    .execute()
  const values = Object.fromEntries((campaign.filled as Filled).map(({ name, value }) => [name, value]))
  for (const one of next) await want(change, campaign, values, one)
  if (next.length === CHUNK) await later(EVERY_MS)
}
type Filled = readonly { name: string; value: string }[]

const start = (change: Change, { id, status }: Pick<Stored, 'id' | 'status'>) =>
  writeChange(change, resource, { id, status }, { status: 'SENDING', startedAt: change.now.toISOString() }, 'start')

/**
 * What it tells of names campaign and member, and the try where it is not the first: the messaging tells the same thing
 * once, whatever happens here.
 */
const aboutOf = (campaignId: string, { member_id: memberId, attempt }: Next): string =>
  `campaign:${campaignId}:${memberId}${attempt === 1 ? '' : `:${attempt}`}`

type Next = {
  readonly member_id: string
  readonly phone: string
  readonly name: string
  readonly attempt: number
}

function want(change: Change, campaign: Stored, values: Readonly<Record<string, string>>, to: Next): Promise<void> {
  const { code, title, body, template_id: templateId, edition_id: editionId, provider_code: providerCode } = campaign
  return announce(change, messageWanted, {
    message: { code, channel: 'SMS', kind: 'MARKETING', title, body, holes: {} },
    to: { memberId: to.member_id, address: to.phone },
    filled: { ...values, [NAME_HOLE]: to.name },
    about: aboutOf(campaign.id, to),
    words: { templateId, editionId, title, body, providerCode },
  })
}

const statusOf = ({ status, isHandedOver }: Moved): Status =>
  status === 'SCHEDULED' ? 'SENDING' : status === 'SENDING' && isHandedOver ? 'SENT' : status

/** Taken by the provider, or perhaps: that is paid for, whatever comes of it. */
const isBilled = (before: Status, after: Status): boolean =>
  (before === 'WAITING' || before === 'SENDING') && (after === 'SENT' || after === 'DELIVERED' || after === 'UNKNOWN')

/** A number of a campaign has come further: its row says so, and the campaign counts it where it stands now. */
async function follow(change: Change, moved: Moved): Promise<void> {
  const [, campaignId, memberId, attempt = '1'] = /^campaign:(\d+):(\d+)(?::(\d+))?$/.exec(moved.about) ?? []
  if (campaignId === undefined || memberId === undefined) return
  const { tx, now } = change
  // The campaign first, as whoever hands over its numbers does.
  await tx.selectFrom('campaign').select('id').where('id', '=', campaignId).forUpdate().execute()
  const row = await tx
    .selectFrom('campaign_number')
    .select(['id', 'status', 'cause', 'parts'])
    .where('campaign_id', '=', campaignId)
    .where('member_id', '=', memberId)
    // Of a try that is over nothing more is told: the next one has its place.
    .where('attempt', '=', Number(attempt))
    .executeTakeFirst()
  const status = statusOf(moved)
  if (!row || (row.status === status && row.cause === moved.cause)) return
  const billed = isBilled(row.status, status) ? row.parts : 0
  await sql`
    update campaign_number set status = ${status}, cause = ${moved.cause}, state_since = ${now}, billed_parts = billed_parts + ${billed}
    where id = ${row.id}`.execute(tx)
  await count(
    change,
    campaignId,
    { [row.status]: -1, ...(row.status === status ? { [status]: 0 } : { [status]: 1 }) },
    billed,
  )
}

type Counts = Readonly<Partial<Record<Status, number>>>

async function count(change: Change, id: string, by: Counts, billed: number): Promise<void> {
  const sets = Object.entries(by).map(([status, n]) => {
    const column = COUNTED[status as Status]
    return `${column} = ${column} + ${n}`
  })
  const [campaign] = await run(
    change.tx,
    `update campaign set ${sets.join(', ')}, billed_parts = billed_parts + $2,
       spent_fen = ceil((billed_parts + $2) * hundred_fen / 100.0), version = version + 1
     where id = $1 returning status, to_send as "toSend", under_way as "underWay"`,
    [id, billed],
  )
  const status = String(campaign?.status)
  // Paused behind its last number it has nothing left to go on with.
  if (status !== 'SENDING' && status !== 'PAUSED') return
  if (Number(campaign?.toSend) + Number(campaign?.underWay) > 0) return
  const ended = { status: 'DONE', endedAt: change.now.toISOString() }
  await writeChange(change, resource, { id, status }, ended, 'finish')
}

/** Those that failed wait for another try; each of them for one more, whoever else asks for it. */
export async function tryAgain({ tx, now }: Change, id: string): Promise<{ numbers: number; parts: number }> {
  const rows = await tx
    .updateTable('campaign_number')
    .set(set => ({ status: 'WAITING', cause: null, state_since: now, attempt: set('attempt', '+', 1) }))
    .where('campaign_id', '=', id)
    .where('status', '=', 'FAILED')
    .returning('parts')
    .execute()
  return { numbers: rows.length, parts: rows.reduce((sum, { parts }) => sum + parts, 0) }
}

/** Nobody of those who still wait gets anything. */
export async function cancelRest({ tx, now }: Change, id: string): Promise<{ toSend: number; cancelled: number }> {
  const { numUpdatedRows } = await tx
    .updateTable('campaign_number')
    .set({ status: 'CANCELLED', state_since: now })
    .where('campaign_id', '=', id)
    .where('status', '=', 'WAITING')
    .executeTakeFirstOrThrow()
  return { toSend: 0, cancelled: Number(numUpdatedRows) }
}

export const listeners: readonly Listener[] = [listen(messageMoved, follow)]
