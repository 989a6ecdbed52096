import { createSign, createVerify, type KeyObject } from 'node:crypto'
import * as z from 'zod'
import { parseYuan } from '#kit/model/money.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { type Clock, formatInstant } from '#kit/model/time.ts'
import { AskAgain } from '#kit/server/change/outbox.ts'
import type { Notice, Provider, RefundOrder, RefundResult } from './provider.server.ts'
import { type Fetch, outside, readPrivateKey, readPublicKey, speak } from './speaking.server.ts'

type AlipayKeys = {
  readonly appId: string
  readonly privateKey: string
  /** Alipay's own, not the one of our key pair. */
  readonly publicKey: string
}

const GATEWAY = 'https://openapi.alipay.com/gateway.do'
const REFUND = 'alipay.trade.refund'
const QUERY = 'alipay.trade.fastpay.refund.query'

const answered = z.object({
  code: z.string(),
  msg: z.string().optional(),
  sub_code: z.string().optional(),
  sub_msg: z.string().optional(),
  trade_no: z.string().optional(),
  fund_change: z.enum(['Y', 'N']).optional(),
  refund_status: z.string().optional(),
})
type Answered = z.infer<typeof answered>

/** Alipay, signed by RSA2. Amounts are yuan there: they become fen, and fen yuan, here and nowhere else. */
export function alipayProvider(keys: AlipayKeys, clock: Clock, say: Fetch = outside): Provider {
  const own = readPrivateKey(keys.privateKey)
  const theirs = readPublicKey(keys.publicKey)

  const ask = async (method: string, content: Record<string, string>): Promise<Answered> => {
    const wish = {
      app_id: keys.appId,
      method,
      format: 'JSON',
      charset: 'utf-8',
      sign_type: 'RSA2',
      timestamp: formatInstant(clock.now()),
      version: '1.0',
      biz_content: JSON.stringify(content),
    }
    const sign = createSign('sha256').update(signedText(wish)).sign(own, 'base64')
    const spoken = await speak(
      say,
      GATEWAY,
      { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
      new URLSearchParams({ ...wish, sign }).toString(),
    )
    if (spoken.status !== 200) throw new AskAgain(`Alipay answers ${spoken.status}`)
    return readAnswer(theirs, method, spoken.text)
  }

  return {
    async refund(order) {
      const done = await ask(REFUND, wishOf(order))
      if (done.code !== '10000') return refusedRefund(done)
      if (done.fund_change === 'Y') return success(done, order)
      // Nothing moved now: either it did when this number was first sent, or it has yet to.
      const known = await ask(QUERY, { trade_no: order.paymentProviderNo, out_request_no: order.refundNo })
      if (known.code !== '10000' && known.code !== '40004') throw new AskAgain(inWords(known))
      if (known.refund_status === 'REFUND_SUCCESS') return success(known, order)
      return { status: 'PROCESSING', providerNo: null, error: '' }
    },
    readNotice(_headers, body) {
      const form = Object.fromEntries(new URLSearchParams(body.toString('utf8')))
      const { sign = '', sign_type: _, ...signed } = form
      if (!createVerify('sha256').update(signedText(signed)).verify(theirs, sign, 'base64'))
        throw new Refused(refuse('signature-wrong'), 'permission')
      if (form.app_id !== keys.appId) throw new Refused(refuse('notice-of-others'), 'permission')
      return noticeOf(form)
    },
    acknowledgement: { type: 'text/plain', body: 'success' },
  }
}

/** Names in the order of their letters, empty ones left out; the signature itself is no part of it. */
const signedText = (parameters: Readonly<Record<string, string>>): string =>
  Object.entries(parameters)
    .filter(([, value]) => value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

const wishOf = (order: RefundOrder): Record<string, string> => ({
  trade_no: order.paymentProviderNo,
  refund_amount: yuanOf(order.amountFen),
  out_request_no: order.refundNo,
})

/** "1234.05": whole numbers only, so that no fen is lost on the way. */
export const yuanOf = (fen: number): string => `${Math.trunc(fen / 100)}.${String(fen % 100).padStart(2, '0')}`

// A refund has no number of its own there: the trade's and ours together name it.
const success = (answer: Answered, order: RefundOrder): RefundResult => ({
  status: 'SUCCESS',
  providerNo: answer.trade_no ?? order.paymentProviderNo,
  error: '',
})

/** Said of the hour, not of the refund: it is asked again, under the same number. */
const LATER = /SYSTEM_ERROR|UNKNOW|isp\.|aop\.ACQ/
/** The money cannot go back the way it came. */
const ABNORMAL = /BUYER_(ERROR|NOT_EXIST|ENABLE_STATUS_FORBID)|REASON_TRADE_BEEN_FREEZEN/

function refusedRefund(answer: Answered): RefundResult {
  const code = answer.sub_code ?? ''
  if (answer.code === '20000' || LATER.test(code)) throw new AskAgain(inWords(answer))
  return { status: ABNORMAL.test(code) ? 'ABNORMAL' : 'CLOSED', providerNo: null, error: inWords(answer) }
}

const inWords = ({ code, msg = '', sub_code: sub = code, sub_msg: text = msg }: Answered): string => `${sub}: ${text}`

/** The signature is over the bytes of the answer inside the answer. */
function readAnswer(theirs: KeyObject, method: string, text: string): Answered {
  const name = `${method.replaceAll('.', '_')}_response`
  const signed = partOf(text, name) ?? partOf(text, 'error_response')
  const sign = /"sign"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? ''
  if (signed === undefined || !createVerify('sha256').update(signed).verify(theirs, sign, 'base64'))
    throw new AskAgain('the answer is not signed by Alipay')
  return answered.parse(JSON.parse(signed))
}

/** The text of one object in a JSON text, as it stands there. */
function partOf(text: string, name: string): string | undefined {
  const at = text.indexOf(`"${name}"`)
  const begin = at < 0 ? -1 : text.indexOf('{', at)
  if (begin < 0) return undefined
  let [depth, isQuoted] = [0, false]
  for (let index = begin; index < text.length; index += 1) {
    const character = text[index]
    if (isQuoted && character === '\\') index += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && character === '{') depth += 1
    else if (!isQuoted && character === '}') {
      depth -= 1
      if (depth === 0) return text.slice(begin, index + 1)
    }
  }
  return undefined
}

const PAID = new Set(['TRADE_SUCCESS', 'TRADE_FINISHED'])

/** A trade that gave money back is told again with the refund; one that was closed unpaid is no concern of ours. */
function noticeOf(form: Readonly<Record<string, string>>): Notice | undefined {
  const { refund_fee: back, out_biz_no: refundNo, trade_no: providerNo = '', trade_status: status = '' } = form
  if (back !== undefined || form.gmt_refund !== undefined) {
    // A notice of the trade says what it has given back in all: how much of it is this refund, only the query tells.
    return refundNo
      ? { kind: 'refund', refundNo, amountFen: null, status: 'SUCCESS', providerNo, error: '' }
      : undefined
  }
  const amountFen = parseYuan(form.total_amount ?? '')
  if (!PAID.has(status) || amountFen === undefined) return undefined
  return {
    kind: 'paid',
    orderNo: form.out_trade_no ?? '',
    providerNo,
    amountFen,
    paidAt: shanghai(form.gmt_payment ?? ''),
  }
}

function shanghai(text: string): Date {
  const at = new Date(`${text.replace(' ', 'T')}+08:00`)
  if (Number.isNaN(at.getTime())) throw new Refused(refuse('notice-unreadable'), 'validation')
  return at
}
