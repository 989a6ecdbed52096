import { createHmac } from 'node:crypto'
import * as z from 'zod'
import { storable } from '#kit/model/storable.ts'
import type { Listening } from '#kit/server/live/door.ts'
import { readAs, readLongJson, requireSigned, timeAt } from './told.server.ts'

/** `X-Red-Signature`: `sha1=` and the hex HMAC-SHA1 of the bytes that travel, under the landing page's token. */
export const formSignature = (token: string, body: Buffer): string =>
  `sha1=${createHmac('sha1', token).update(body).digest('hex')}`

/** Where nothing is told, platforms leave it empty. */
const maybe = <S extends z.ZodType>(schema: S) =>
  z.preprocess(value => (value === '' ? undefined : value), schema.optional())
const id = z.union([z.string().min(1), z.int()]).transform(String)
const said = z.union([z.string(), z.number(), z.array(z.string())]).transform(value => [value].flat().join('、'))
const pushed = z.object({
  leads_id: id,
  phone: id,
  name: z.string().optional(),
  city: z.string().optional(),
  campaign_id: maybe(id),
  unit_id: maybe(id),
  creativity_id: maybe(id),
  note_id: maybe(id),
  page_name: z.string().optional(),
  submit_time: z.int().optional(),
  fields: z.array(z.object({ title: z.string(), value: said })).optional(),
})

const MAX_FIELDS = 30
const cut = (text: string | undefined, max: number): string | undefined =>
  storable(text?.trim() ?? '', max) || undefined

/** Forms of the ads' landing pages, one a call; it tells each up to three times more, until somebody says 200. */
export const formsDoor = (token: string): Listening<unknown> => ({
  hear({ bytes, header }) {
    requireSigned(header('x-red-signature'), formSignature(token, bytes))
    const form = readAs(pushed, readLongJson(bytes.toString('utf8')))
    const { leads_id: formNo, phone, campaign_id: campaign, unit_id: unit, creativity_id: creativity } = form
    const answers = (form.fields ?? [])
      .slice(0, MAX_FIELDS)
      .map(({ title, value }) => ({ question: storable(title, 200), answer: storable(value, 500) }))
    const data = {
      formNo,
      kind: 'FORM',
      at: form.submit_time === undefined ? undefined : timeAt(form.submit_time),
      phone,
      name: cut(form.name, 50),
      city: cut(form.city, 50),
      noteNo: form.note_id,
      campaign,
      unit,
      creativity,
      page: cut(form.page_name, 200),
      answers,
    }
    return { events: [{ id: `form:${formNo}`, type: 'lead-form.submitted', data }], answer: '' }
  },
})
