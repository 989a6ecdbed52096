import { NotReached } from '#engines/platform/port.server.ts'
import { openForms, type Reported } from '#engines/platform/server.ts'
import { storable } from '#kit/model/storable.ts'
import type { App } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { type LeadForm, resource } from './model.ts'

const CALL_BACK = 'xiaohongshu-call-back'
const MAX_ERROR = 200

type Payload = { readonly id: string }

/** The platform is to be told that this number is a good one. */
export async function askToCallBack(op: Operation, { id, version }: LeadForm) {
  await deliver(op, { kind: CALL_BACK, key: `${id}:${version}`, payload: { id } })
  await op.tx.updateTable('lead_form').set({ sending_at: null }).where('id', '=', id).execute()
  return { callBackError: null }
}

/**
 * The platform counts each call, so none is made twice by itself: that it is being made is stored before, and whoever finds that
 * does not know how it ended. Only where nobody was reached at all it is made again.
 */
async function report(app: App, { id }: Payload, key: string): Promise<Reported | null> {
  const { query } = app.db
  const sending = await query
    .updateTable('lead_form')
    .set({ sending_at: app.clock.now() })
    .where('id', '=', id)
    .where('call_back', '=', 'WAITING')
    .where('sending_at', 'is', null)
    .returning(['form_no as formNo', 'campaign', 'unit', 'creativity'])
    .executeTakeFirst()
  if (!sending) return { state: 'UNKNOWN', error: '' }
  try {
    return await openForms(app).reportValid(sending, key)
  } catch (error) {
    if (!(error instanceof NotReached)) return { state: 'UNKNOWN', error: String(error) }
    await query.updateTable('lead_form').set({ sending_at: null }).where('id', '=', id).execute()
    throw error
  }
}

const STATES = { SENT: 'SENT', REFUSED: 'FAILED', UNKNOWN: 'UNKNOWN' } as const

const callBackDelivery = defineDelivery<Payload, Reported | null>({
  kind: CALL_BACK,
  call: report,
  async settle(change, { id }, reported) {
    const { tx, now } = change
    const form = await tx
      .selectFrom('lead_form')
      .select(['id', 'call_back as callBack', 'called_back_at as calledBackAt', 'call_back_error as callBackError'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (form?.callBack !== 'WAITING' || !reported) return
    const isSent = reported.state === 'SENT'
    const error = isSent ? '' : storable(reported.error, MAX_ERROR)
    const next = {
      callBack: STATES[reported.state],
      calledBackAt: isSent ? now.toISOString() : null,
      callBackError: error === '' ? null : error,
    }
    await writeChange(change, resource, form, next, 'calledBack')
  },
})

export const deliveries = [callBackDelivery]
