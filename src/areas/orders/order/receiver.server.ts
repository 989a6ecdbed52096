import * as z from 'zod'
import { parsePhone } from '#kit/model/mask.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Row } from '#kit/server/database.ts'
import type { Receiver } from './placing.server.ts'

/** All four parts of an address, or none of them. */
export function receiverOf(given: Row): Receiver | undefined {
  const { receiverName: name, receiverPhone: typed, receiverProvince: province, receiverAddress: address } = given
  if (name == null && typed == null && address == null) return undefined
  const phone = parsePhone(String(typed ?? ''))
  const wrong = [
    ...(name ? [] : ['receiverName']),
    ...(phone ? [] : ['receiverPhone']),
    ...(province ? [] : ['receiverProvince']),
    ...(address ? [] : ['receiverAddress']),
  ]
  if (wrong.length > 0 || !phone) {
    const refusal = refuse(wrong[0] === 'receiverPhone' ? 'kit:phone-invalid' : 'orders/order:receiver-incomplete')
    throw new Refused(refusal, 'validation', { fields: Object.fromEntries(wrong.map(field => [field, refusal])) })
  }
  return { name: String(name), phone, province: String(province), address: String(address) }
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
  province: z.string().min(1).max(50),
  address: z.string().trim().min(1).max(200),
})

export const asReceiver = (sent: z.infer<typeof sentReceiver>): Receiver => ({
  ...sent,
  phone: parsePhone(sent.phone) ?? '',
})
