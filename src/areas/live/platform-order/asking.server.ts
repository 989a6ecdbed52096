import { openCertificates, openOrders, type ShopOrder, type Verification } from '#engines/platform/server.ts'
import type { App, Change } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { hearOrder } from './arriving.server.ts'
import { type Certificate, type Facts, valueIn } from './facts.model.ts'
import { hear } from './hearing.server.ts'
import { type Platform, screenOf, shopOf } from './platforms.server.ts'
import { lockedRow, lockOrderTold, SYNC } from './row.server.ts'

type Payload = { readonly id: string }

const VERIFY = 'douyin-verify'
const CANCEL = 'douyin-cancel'

type Asked = { readonly id: string; readonly version: number }

/** The platform is asked under one key however often it has to be: it answers a repeated question as the first. */
export async function askToVerify(op: Operation, { id, version }: Asked) {
  await deliver(op, { kind: VERIFY, key: `${id}:${version}`, payload: { id } })
  return { verifyState: 'ASKED' as const, verifyError: null }
}

export async function askToCancel(op: Operation, { id, version }: Asked) {
  await deliver(op, { kind: CANCEL, key: `${id}:${version}`, payload: { id } })
  return { verifyState: 'CANCELLING' as const, verifyError: null }
}

const asked = async ({ db }: App, id: string) => {
  const row = await db.query.selectFrom('platform_order').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const certificate = valueIn<Certificate>(row.facts as Facts, 'certificate')
  const certified = certificate && { orderNo: row.order_no, certificateId: certificate.id, code: certificate.code }
  return { row, certified }
}

const NOTHING: Verification = { isDone: false, error: '' }

const verifyDelivery = defineDelivery<Payload, Verification>({
  kind: VERIFY,
  async call(app, { id }, key) {
    const { row, certified } = await asked(app, id)
    return certified && row.verify_state === 'ASKED' ? openCertificates(app).verify(certified, key) : NOTHING
  },
  settle: (change, { id }, answer) => store(change, id, answer, true),
})

const cancelDelivery = defineDelivery<Payload, Verification>({
  kind: CANCEL,
  async call(app, { id }, key) {
    const { row, certified } = await asked(app, id)
    if (!certified || row.verify_state !== 'CANCELLING') return NOTHING
    return openCertificates(app).cancel({ ...certified, verifyId: row.verify_id ?? '' }, key)
  },
  settle: (change, { id }, answer) => store(change, id, answer, false),
})

/** What came of it; whatever the platform has told itself meanwhile stands. */
async function store(change: Change, id: string, answer: Verification, isOn: boolean): Promise<void> {
  const { tx, now } = change
  const { platform, order_no: orderNo } = await tx
    .selectFrom('platform_order')
    .select(['platform', 'order_no'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await lockOrderTold(tx, platform, orderNo)
  if (answer.isDone) {
    const facts = { verified: { isOn, verifyId: answer.verifyId }, verifyId: answer.verifyId }
    await hear(change, {
      platform: platform as Platform,
      orderNo,
      at: now,
      facts,
      action: isOn ? 'verified' : 'verifyCancelled',
    })
    return
  }
  const row = await lockedRow(tx, id)
  if (row.verify_state !== (isOn ? 'ASKED' : 'CANCELLING') || answer.error === '') return
  const before = { id, verifyState: row.verify_state, verifyError: row.verify_error }
  const next = { verifyState: isOn ? 'FAILED' : 'VERIFIED', verifyError: answer.error.slice(0, 200) }
  await writeChange(change, screenOf(platform), before, next, 'verifyRefused')
}

const syncDelivery = defineDelivery<Payload, ShopOrder | undefined>({
  kind: SYNC,
  async call(app, { id }) {
    const { row } = await asked(app, id)
    return openOrders(app, shopOf(row.platform)).orderOf(row.order_no)
  },
  async settle(change, { id }, order) {
    const { platform, facts } = await change.tx
      .selectFrom('platform_order')
      .select(['platform', 'facts'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    // A voucher somebody has told of with the end of its code stays as it was told.
    const certificate = (facts as Facts).certificate ? undefined : order?.certificate
    if (order) await hearOrder(change, platform as Platform, { ...order, certificate }, 'sync')
    await change.tx.updateTable('platform_order').set({ synced_at: change.now }).where('id', '=', id).execute()
  },
})

export const deliveries = [verifyDelivery, cancelDelivery, syncDelivery]
