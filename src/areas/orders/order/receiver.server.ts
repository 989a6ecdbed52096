import * as z from 'zod'
import { type Actor, scopeOf } from '#kit/model/actor.ts'
import { dictionary } from '#kit/model/field.ts'
import { mask, parsePhone } from '#kit/model/mask.ts'
import { onField, type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { type Row, run } from '#kit/server/database/database.ts'
import { binder, scopeSql } from '#kit/server/list/scope.ts'
import { resource } from './model.ts'
import type { Receiver } from './placing.server.ts'
import type { KnownReceiver } from './quote.model.ts'

const MISSING = refuse('kit:field-missing')

/** All four parts of an address, or none of them. */
export function receiverOf(given: Row): Receiver | undefined {
  const { receiverName: name, receiverPhone: typed, receiverProvince: province, receiverAddress: address } = given
  if (name == null && typed == null && address == null) return undefined
  const phone = parsePhone(String(typed ?? ''))
  const fields: Record<string, Refusal> = {
    ...(name ? {} : { receiverName: MISSING }),
    ...(phone ? {} : { receiverPhone: typed ? refuse('kit:phone-invalid') : MISSING }),
    ...(province ? {} : { receiverProvince: MISSING }),
    ...(address ? {} : { receiverAddress: MISSING }),
  }
  const [first, ...others] = Object.values(fields)
  if (!phone || first)
    throw new Refused(others.length === 0 && first ? first : refuse('orders/order:receiver-incomplete'), 'validation', {
      fields,
    })
  return { name: String(name), phone, province: String(province), address: String(address) }
}

const ADDRESSED = `select t.id, t.receiver_name as name, t.receiver_phone as phone, t.receiver_province as province,
  t.receiver_address as address from sales_order t`
type Addressed = Receiver & { readonly id: string }
const MOST_KNOWN = 5
/** Orders looked through for addresses: whoever has more has not moved that often. */
const LOOKED_THROUGH = 50

/** Where goods of a member went before, the newest first, as far as this person sees the orders: masked. */
export async function knownReceivers({ db }: App, actor: Actor, memberId: string): Promise<KnownReceiver[]> {
  const { bind, values } = binder()
  const rule = scopeSql(resource, scopeOf(actor, resource.screen.key), bind)
  const rows = (await db.read.planned(
    `${ADDRESSED} where t.member_id = ${bind(memberId)}::bigint and t.receiver_address is not null${rule && ` and ${rule}`}
     order by t.id desc limit ${LOOKED_THROUGH}`,
    values,
  )) as Addressed[]
  const different = new Map(
    rows.toReversed().map(row => [[row.name, row.phone, row.province, row.address].join('|'), row]),
  )
  return [...different.values()]
    .sort((a, b) => Number(BigInt(b.id) - BigInt(a.id)))
    .slice(0, MOST_KNOWN)
    .map(({ id, name, phone, address }) => ({
      orderId: id,
      name: mask('name', name),
      phone: mask('phone', phone),
      address: mask('address', address),
    }))
}

/** The address of an earlier order of the same member, which this person may see. */
export async function receiverAsIn({ tx, actor }: Operation, orderId: string, memberId: string): Promise<Receiver> {
  const { bind, values } = binder()
  const rule = scopeSql(resource, scopeOf(actor, resource.screen.key), bind)
  const [row] = (await run(
    tx,
    `${ADDRESSED} where t.id = ${bind(orderId)} and t.member_id = ${bind(memberId)} and t.receiver_address is not null${rule && ` and ${rule}`}`,
    values,
  )) as Addressed[]
  if (row) return { name: row.name, phone: row.phone, province: row.province, address: row.address }
  const refusal = refuse('orders/order:receiver-gone')
  throw onField('receiverOrderId', refusal)
}

/** A whole phone number, as senders write it. */
export const sentPhone = z
  .string()
  .max(40)
  .refine(typed => parsePhone(typed) !== undefined)

/** Where a sender says the goods go. */
export const sentReceiver = z.strictObject({
  name: z.string().trim().min(1).max(50),
  phone: sentPhone,
  province: dictionary('PROVINCE'),
  address: z.string().trim().min(1).max(200),
})

export const asReceiver = (sent: z.infer<typeof sentReceiver>): Receiver => ({
  ...sent,
  phone: parsePhone(sent.phone) ?? '',
})
