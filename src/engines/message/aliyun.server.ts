import { createHash, createHmac, randomUUID } from 'node:crypto'
import * as z from 'zod'
import { type Clock, dayOf } from '#kit/model/time.ts'
import type { Fault } from './model.ts'
import type { Attempt, Outcome, Outgoing, Provider, Report } from './port.server.ts'

type AliyunKeys = {
  readonly clock: Clock
  readonly url: string
  readonly keyId: string
  readonly secret: string
  readonly signName: string
}

const VERSION = '2017-05-25'
const ALGORITHM = 'ACS3-HMAC-SHA256'
const TIMEOUT_MS = 10_000
const MAX_SAID = 200

/** Without a connection nothing was said, so nothing was sent; any other silence leaves that open. */
const NOT_REACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

const FAULT_BY_CODE: readonly (readonly [RegExp, Fault])[] = [
  [/MOBILE_NUMBER_ILLEGAL|MOBILE_COUNT|UNKNOWN_NUMBER|NOT_EXIST|EMPTY_NUMBER|INVALID_NUMBER/i, 'BAD_ADDRESS'],
  [/BLACK|UNSUBSCRIBE|REJECT_BY_USER/i, 'BLOCKED'],
  [/LIMIT_CONTROL|DAY_LIMIT|FREQUENCY/i, 'LIMITED'],
  [/MOBILE_(SEND_LIMIT|NOT_ON_SERVICE|TERMINAL)|POWER_?OFF|OUT_OF_SERVICE|SUSPEND/i, 'SWITCHED_OFF'],
  [/TEMPLATE|TEMPLATE_MISSING|PARAM_LENGTH|INVALID_JSON|SMS_CONTENT/i, 'TEMPLATE'],
  [/AMOUNT_NOT_ENOUGH|OUT_OF_SERVICE|SIGN|ACCESS_KEY|ACCESSKEY|FORBIDDEN|ACCOUNT/i, 'ACCOUNT'],
]

/** What a code of theirs means to people. */
export const faultOf = (code: string): Fault => FAULT_BY_CODE.find(([known]) => known.test(code))?.[1] ?? 'REJECTED'

const answer = z.looseObject({ Code: z.string(), Message: z.string().default(''), BizId: z.string().optional() })
const details = answer.extend({
  SmsSendDetailDTOs: z
    .looseObject({
      SmsSendDetailDTO: z.array(
        z.looseObject({ OutId: z.string().default(''), SendStatus: z.number(), ErrCode: z.string().default('') }),
      ),
    })
    .optional(),
})
/** QuerySendDetails: 1 is "no report yet". */
const SENT = { failed: 2, delivered: 3 }

type Fetch = typeof fetch

/** Aliyun's text messages (SendSms, QuerySendDetails), signed by their third scheme. */
export function aliyun(keys: AliyunKeys, { call = fetch as Fetch, timeoutMs = TIMEOUT_MS } = {}): Provider {
  const ask = (action: string, query: Record<string, string>) =>
    call(`${keys.url}/?${canonical(query)}`, {
      method: 'POST',
      headers: signed(keys, action, query),
      signal: AbortSignal.timeout(timeoutMs),
    })
  return { send: message => send(ask, keys, message), report: attempt => report(ask, attempt) }
}

type Ask = (action: string, query: Record<string, string>) => Promise<Response>

async function send(
  ask: Ask,
  { signName }: AliyunKeys,
  { key, address, providerCode, values }: Outgoing,
): Promise<Outcome> {
  if (providerCode === null) return { kind: 'refused', fault: 'TEMPLATE', said: 'no template code' }
  let response: Response
  try {
    response = await ask('SendSms', {
      PhoneNumbers: address,
      SignName: signName,
      TemplateCode: providerCode,
      TemplateParam: JSON.stringify(values),
      OutId: key,
    })
  } catch (error) {
    const code = (error as { cause?: { code?: string } }).cause?.code ?? ''
    return { kind: NOT_REACHED.has(code) ? 'later' : 'unknown', said: code || String(error).slice(0, MAX_SAID) }
  }
  const read = answer.safeParse(await response.json().catch(() => undefined))
  // Something of theirs broke on the way: whether before or after sending, nobody says.
  if (!read.success || response.status >= 500) return { kind: 'unknown', said: `HTTP ${response.status}` }
  const { Code, Message, BizId = '' } = read.data
  if (Code === 'OK') return { kind: 'taken', said: BizId }
  const said = `${Code}: ${Message}`.slice(0, MAX_SAID)
  if (/^Throttling/.test(Code)) return { kind: 'later', said }
  return { kind: 'refused', fault: faultOf(Code), said }
}

async function report(ask: Ask, { key, address, at }: Attempt): Promise<Report | undefined> {
  const response = await ask('QuerySendDetails', {
    PhoneNumber: address,
    SendDate: dayOf(at).replaceAll('-', ''),
    PageSize: '50',
    CurrentPage: '1',
  })
  const { Code, Message, SmsSendDetailDTOs } = details.parse(await response.json())
  if (Code !== 'OK') throw new Error(`${Code}: ${Message}`)
  const found = SmsSendDetailDTOs?.SmsSendDetailDTO.find(({ OutId }) => OutId === key)
  if (!found || (found.SendStatus !== SENT.failed && found.SendStatus !== SENT.delivered)) return undefined
  const { SendStatus, ErrCode } = found
  return { isDelivered: SendStatus === SENT.delivered, fault: faultOf(ErrCode), said: ErrCode.slice(0, MAX_SAID) }
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const canonical = (query: Record<string, string>): string =>
  Object.entries(query)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&')

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

function signed({ url, keyId, secret, clock }: AliyunKeys, action: string, query: Record<string, string>) {
  const headers: Record<string, string> = {
    host: new URL(url).host,
    'x-acs-action': action,
    'x-acs-content-sha256': sha256(''),
    'x-acs-date': clock
      .now()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z'),
    'x-acs-signature-nonce': randomUUID(),
    'x-acs-version': VERSION,
  }
  const names = Object.keys(headers).sort()
  const lines = names.map(name => `${name}:${headers[name]}\n`).join('')
  const request = ['POST', '/', canonical(query), lines, names.join(';'), sha256('')].join('\n')
  const signature = createHmac('sha256', secret)
    .update(`${ALGORITHM}\n${sha256(request)}`)
    .digest('hex')
  return {
    ...headers,
    authorization: `${ALGORITHM} Credential=${keyId},SignedHeaders=${names.join(';')},Signature=${signature}`,
  }
}
