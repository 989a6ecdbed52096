import * as z from 'zod'
import { FAULTS, type Fault, withoutAddress } from '#engines/message/model.ts'
import type { Report } from '#engines/message/port.server.ts'
import { providerOf } from '#engines/message/providers.server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { AskAgain, defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import { defineEvent } from '#kit/server/live/event.ts'
import { moveMessage } from './moving.server.ts'

const ASKING = 'message-report'
/** Most reports come by themselves within seconds. */
const FIRST_ASK_MS = 30_000
/** Providers keep what became of a message for some days; then nobody knows any more. */
const ASKED_MS = 3 * 86_400_000

type Payload = { readonly id: string; readonly attempt: number }

export const askLater = ({ tx, now }: Pick<Change, 'tx' | 'now'>, id: string, attempt: number, ms = FIRST_ASK_MS) =>
  deliver(
    { tx, now },
    {
      kind: ASKING,
      key: id,
      payload: { id, attempt } satisfies Payload,
      dueAt: new Date(now.getTime() + ms),
    },
  )

/** Asks what became of a message: that sends nothing, and may be asked as often as one likes. */
export const reporting = defineDelivery<Payload, Report | null>({
  kind: ASKING,
  async call(app, { id, attempt }) {
    const row = await app.db.query
      .selectFrom('message')
      .select(['phone', 'sent_at'])
      .where('id', '=', id)
      .where('attempt', '=', attempt)
      .where('status', 'in', ['SENDING', 'UNKNOWN'])
      .where('channel', '=', 'SMS')
      .executeTakeFirst()
    if (!row?.sent_at || row.phone === null) return null
    const at = new Date(row.sent_at)
    const report = await providerOf(app, 'SMS')
      .report?.({ key: `${id}-${attempt}`, address: row.phone, at })
      .catch(error => {
        app.log.warn(
          { said: withoutAddress(String(error), row.phone), message: id },
          'a provider did not say what became of a message',
        )
        return undefined
      })
    if (report) return report
    if (app.clock.now().getTime() - at.getTime() < ASKED_MS) throw new AskAgain('no report yet')
    return null
  },
  async settle(change, { id, attempt }, report) {
    if (report) return tell(change, id, attempt, report)
    const row = await open(change, id, attempt)
    if (row?.status === 'SENDING') await moveMessage(change, row, { status: 'UNKNOWN', cause: 'NO_ANSWER' }, 'lose')
  },
})

const open = ({ tx }: Change, id: string, attempt: number) =>
  tx
    .selectFrom('message')
    .select(['id', 'status', 'cause', 'sent_at as sentAt', 'phone'])
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', 'in', ['SENDING', 'UNKNOWN'])
    .forUpdate()
    .executeTakeFirst()

/** The provider has the last word on what it was given. The same word again changes nothing. */
async function tell(change: Change, id: string, attempt: number, { isDelivered, fault, said }: Report): Promise<void> {
  const row = await open(change, id, attempt)
  if (!row) return
  const endedAt = change.now.toISOString()
  const ended = { result: withoutAddress(said, row.phone), endedAt, sentAt: row.sentAt ?? endedAt }
  const fields = isDelivered
    ? ({ status: 'DELIVERED', cause: null } as const)
    : ({ status: 'FAILED', cause: fault } as const)
  await moveMessage(change, row, { ...ended, ...fields }, 'report')
}

/** Signed like all that comes in: whoever could tell us that a message failed could have it sent again. */
export const reported = defineEvent({
  type: 'sms.reported',
  sources: ['sms'],
  data: z.strictObject({
    /** What the message was handed over under. */
    key: z.string().regex(/^[1-9]\d{0,17}-[1-9]\d{0,3}$/),
    delivered: z.boolean(),
    fault: z.enum(FAULTS).default('REJECTED' satisfies Fault),
    said: z.string().trim().max(200).default(''),
  }),
  async apply({ app, tx, now, key: event }, { key, delivered, fault, said }) {
    const [id = '', attempt] = key.split('-')
    const known = await tx.selectFrom('message').select('channel').where('id', '=', id).executeTakeFirst()
    if (known?.channel !== 'SMS') throw new Refused(refuse('system/message:report-of-nothing'))
    await tell(ownChange(app, tx, now, `event:${event}`), id, Number(attempt), { isDelivered: delivered, fault, said })
  },
})
