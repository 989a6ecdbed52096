import { createHash, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { AskAgain } from '#kit/server/change/outbox.ts'
import { bytesToJson } from '#kit/server/http/body.ts'
import type { Carrier, Parcel, TrackEvent } from './port.server.ts'
import { carrierOf, fromKuaidi100, toKuaidi100 } from './status.model.ts'

export type Keys = {
  readonly url: string
  readonly customer: string
  readonly key: string
  /** Both, or parcels are only asked for. */
  readonly salt: string | undefined
  readonly callbackUrl: string | undefined
}
type Fetch = (url: string, options: { method: 'POST'; body: URLSearchParams; signal: AbortSignal }) => Promise<Response>

const QUERY = '/poll/query.do'
const FOLLOW = '/poll'
const TIMEOUT_MS = 15_000
const MAX_CONTENT = 500
/** A subscription that stands already is as good as a new one. */
const FOLLOWED_BEFORE = '501'
/** The last digits are what carriers compare. */
const PHONE_DIGITS = 4

const line = z.object({
  ftime: z.string().optional(),
  time: z.string().optional(),
  context: z.string(),
  statusCode: z.string().optional(),
})
const answer = z.object({
  state: z.string().optional(),
  data: z.array(line).optional(),
  returnCode: z.string().optional(),
  message: z.string().optional(),
})
const pushed = z.object({ lastResult: answer.extend({ com: z.string(), nu: z.string() }).optional() })

const md5 = (text: string): string => createHash('md5').update(text).digest('hex').toUpperCase()

/** The tracking service, asked and listened to under its own signatures. */
export const kuaidi100 = (keys: Keys, call: Fetch = fetch): Carrier => ({
  pushes: keys.salt !== undefined && keys.callbackUrl !== undefined,
  async follow(parcel) {
    const param = JSON.stringify({
      company: toKuaidi100(parcel.carrier),
      number: parcel.trackingNo,
      key: keys.key,
      parameters: { callbackurl: keys.callbackUrl, salt: keys.salt, resultv2: '4', phone: tail(parcel) },
    })
    const { returnCode = '', message = '' } = await ask(call, new URL(FOLLOW, keys.url).href, { schema: 'json', param })
    if (returnCode !== '200' && returnCode !== FOLLOWED_BEFORE)
      throw new AskAgain(`kuaidi100 ${returnCode}: ${message}`)
  },
  async ask(parcel) {
    const param = JSON.stringify({
      com: toKuaidi100(parcel.carrier),
      num: parcel.trackingNo,
      phone: tail(parcel),
      resultv2: '4',
    })
    const sign = md5(`${param}${keys.key}${keys.customer}`)
    return eventsOf(await ask(call, new URL(QUERY, keys.url).href, { customer: keys.customer, sign, param }))
  },
  readPush(body) {
    const form = new URLSearchParams(body.toString('utf8'))
    const param = form.get('param') ?? ''
    requireSignature(form.get('sign') ?? '', md5(`${param}${keys.salt ?? ''}`))
    const { lastResult } = pushed.parse(bytesToJson(Buffer.from(param)))
    return lastResult && { carrier: carrierOf(lastResult.com), trackingNo: lastResult.nu, events: eventsOf(lastResult) }
  },
  acknowledgement: JSON.stringify({ result: true, returnCode: '200', message: '成功' }),
})

const tail = ({ phone }: Parcel): string => phone.slice(-PHONE_DIGITS)

function requireSignature(given: string, right: string): void {
  const [a, b] = [Buffer.from(given.toUpperCase()), Buffer.from(right)]
  if (a.length !== b.length || !timingSafeEqual(a, b))
    throw new Refused(refuse('engines/carrier:signature-wrong'), 'permission')
}

async function ask(call: Fetch, url: string, form: Record<string, string>): Promise<z.infer<typeof answer>> {
  const body = new URLSearchParams(form)
  const response = await call(url, { method: 'POST', body, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(error => {
    throw new AskAgain(String(error))
  })
  if (!response.ok) throw new AskAgain(`kuaidi100 answers ${response.status}`)
  return answer.parse(await response.json())
}

/** Newest first as they come, oldest first as we keep them. Their times are Shanghai's. */
const eventsOf = ({ data = [], state = '0' }: z.infer<typeof answer>): TrackEvent[] =>
  data
    .flatMap(({ ftime, time, context, statusCode }, index) => {
      const at = new Date(`${(ftime ?? time ?? '').replace(' ', 'T')}+08:00`)
      const content = context.trim().slice(0, MAX_CONTENT)
      if (Number.isNaN(at.getTime()) || content === '') return []
      // Lines without a code of their own are on the way, but for the newest, which the parcel's state speaks of.
      return [{ at, content, status: fromKuaidi100(statusCode ?? (index === 0 ? state : '0')) }]
    })
    .reverse()
