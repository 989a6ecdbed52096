import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Clock } from '#kit/model/time.ts'
import { AskAgain } from '#kit/server/change/outbox.ts'
import { asJson, ask, dropToken, tokenOf } from './calling.server.ts'
import type { DouyinKeys } from './douyin.server.ts'
import type { CertificateDoor, Certified, OrderDoor, ShopOrder, Verification } from './port.server.ts'

export type DouyinShop = DouyinKeys & {
  readonly url: string
  /** The shop at which vouchers are verified. */
  readonly poiId: string
  /** The account all shops belong to, where one app works for several. */
  readonly accountId?: string | undefined
  readonly clock: Clock
}

const PATH = '/goodlife/v1/fulfilment/certificate/'
const id = z.union([z.string().min(1), z.int()]).transform(String)
const text = z.string().default('')
const answered = z.object({
  data: z.looseObject({ error_code: z.int().default(0), description: text }).optional(),
  extra: z.object({ error_code: z.int().default(0), description: text, logid: text }).optional(),
})
const token = z.object({
  data: z.object({ access_token: z.string().min(1), expires_in: z.int().min(1) }),
})
const prepared = z.object({
  verify_token: z.string().min(1),
  certificates: z.array(z.object({ encrypted_code: z.string().min(1), certificate_id: id.optional() })).default([]),
})
const verified = z.object({
  verify_results: z
    .array(z.object({ result: z.int(), msg: text, verify_id: id.optional(), certificate_id: id.optional() }))
    .min(1),
})
const fen = z.int().min(0)
const known = z.object({
  certificates: z
    .array(
      z.object({
        certificate_id: id.optional(),
        encrypted_code: z.string().optional(),
        code: z.string().optional(),
        amount: z.object({ pay_amount: fen.optional() }).optional(),
        sku: z.object({ sku_id: id.optional(), title: text, third_sku_id: text }).optional(),
        verify: z.object({ verify_id: id, certificate_id: id.optional() }).nullish(),
        verify_records: z.array(z.object({ verify_id: id, certificate_id: id.optional() })).nullish(),
      }),
    )
    .default([]),
})
type Known = z.infer<typeof known>['certificates'][number]

/** As the buyer reads it; anything else is what the platform has sealed. */
const PLAIN = /^\d{10,20}$/
/** It has been verified: by the call before, whose answer was lost, or by somebody else. */
const USED: readonly number[] = [2, 1208]
/** The platform's own words for "later". */
const LATER = /稍后|频繁|重试/
const TOKEN_TROUBLE = /access[_-]?token/i
const NONE_LEFT = '没有可用的券'

/** Vouchers of Douyin's local services: prepared, verified, and taken back within the hour. */
export function douyinVouchers(shop: DouyinShop): CertificateDoor & OrderDoor {
  const call = callerOf(shop)
  const certificatesOf = async (orderNo: string): Promise<Known[]> => {
    const { data } = await call('query/', { query: { order_id: orderNo } })
    return known.parse(data ?? {}).certificates
  }
  /** What a lost answer said, or somebody else did: the platform tells by which number it is verified. */
  const foundUsed = async (certified: Certified, error: string): Promise<Verification> => {
    const verifyId = verifyIdOf(oneOf(await certificatesOf(certified.orderNo), certified.certificateId))
    return verifyId === undefined ? { isDone: false, error } : { isDone: true, verifyId }
  }
  return {
    async verify(certified, key) {
      const ready = await readyToVerify(call, shop, certified, key)
      if (!ready) return foundUsed(certified, NONE_LEFT)
      if ('error' in ready) return { isDone: false, error: ready.error }
      const body = { verify_token: ready.token, poi_id: shop.poiId, encrypted_codes: [ready.code] }
      const { data, error } = await call('verify/', { body })
      if (error !== undefined) return { isDone: false, error }
      const [result] = verified.parse(data).verify_results
      if (result?.result === 0) return { isDone: true, verifyId: result.verify_id ?? null }
      const said = result?.msg || String(result?.result)
      return USED.includes(result?.result ?? 0) ? foundUsed(certified, said) : { isDone: false, error: said }
    },
    async cancel({ orderNo, certificateId, verifyId }) {
      // Who verified it elsewhere may have told no number.
      const number = verifyId || verifyIdOf(oneOf(await certificatesOf(orderNo), certificateId)) || ''
      const { error } = await call('cancel/', { body: { verify_id: number, certificate_id: certificateId } })
      return error === undefined ? { isDone: true, verifyId: null } : { isDone: false, error }
    },
    orderOf: async orderNo => orderIn(orderNo, await certificatesOf(orderNo), shop.clock.now()),
  }
}

type Ready = { readonly token: string; readonly code: string } | { readonly error: string }

/**
 * What is asked for by its plain code is prepared first, each time it is verified; what the platform has sealed already is named by that.
 * Nothing where none of the order's vouchers can be used any more.
 */
async function readyToVerify(
  call: Caller,
  { poiId }: DouyinShop,
  { certificateId, code }: Certified,
  key: string,
): Promise<Ready | undefined> {
  if (code === null) return { error: NONE_LEFT }
  if (!PLAIN.test(code)) return { token: createHash('sha256').update(key).digest('hex').slice(0, 32), code }
  const { data, error } = await call('prepare/', { query: { code, poi_id: poiId } })
  if (error !== undefined) return { error }
  const { verify_token: token, certificates } = prepared.parse(data)
  const [only, ...others] = certificates
  const one = certificates.find(({ certificate_id }) => certificate_id === certificateId)
  const chosen = one ?? (others.length === 0 ? only : undefined)
  return chosen && { token, code: chosen.encrypted_code }
}

const idOf = ({ certificate_id, verify, verify_records }: Known): string | undefined =>
  certificate_id ?? verify?.certificate_id ?? verify_records?.[0]?.certificate_id
/** An order of one voucher means that one, whatever is told of it. */
const oneOf = (certificates: readonly Known[], certificateId: string): Known | undefined =>
  certificates.find(one => idOf(one) === certificateId) ?? (certificates.length === 1 ? certificates[0] : undefined)
const verifyIdOf = (one: Known | undefined): string | undefined =>
  one?.verify?.verify_id ?? one?.verify_records?.[0]?.verify_id

/** What the order's vouchers say of it: paid, by what, for how much in all. */
function orderIn(orderNo: string, certificates: readonly Known[], now: Date): ShopOrder | undefined {
  const [first] = certificates
  if (!first) return undefined
  const paid = certificates.map(({ amount }) => amount?.pay_amount)
  const certificateId = idOf(first)
  const { code } = first
  return {
    orderNo,
    at: now.toISOString(),
    product: first.sku?.title.slice(0, 100) || undefined,
    skuId: first.sku?.sku_id,
    productCode: first.sku?.third_sku_id || undefined,
    amountFen: paid.includes(undefined) ? undefined : paid.reduce<number>((all, one) => all + (one ?? 0), 0),
    certificate:
      certificateId === undefined
        ? undefined
        : {
            id: certificateId,
            code: first.encrypted_code || code,
            last4: PLAIN.test(code ?? '') ? code?.slice(-4) : undefined,
          },
  }
}

type Asked = { readonly query?: Readonly<Record<string, string>>; readonly body?: object }
type Answered = { readonly data?: unknown; readonly error?: string }
type Caller = (path: string, asked: Asked) => Promise<Answered>

/** Under the app's token; what the platform refuses comes back in its words, with the number its people ask for. */
const callerOf = (shop: DouyinShop): Caller => {
  const name = JSON.stringify([shop.url, shop.clientKey])
  return async (path, { query, body }) => {
    const url = new URL(`${PATH}${path}`, shop.url)
    for (const [field, value] of Object.entries(query ?? {})) url.searchParams.set(field, value)
    const headers = {
      'access-token': await tokenOf(name, shop.clock.now().getTime(), () => newToken(shop)),
      ...(shop.accountId === undefined ? {} : { 'rpc-transit-life-account': shop.accountId }),
    }
    const init = body ? asJson(body, headers) : { headers: { 'content-type': 'application/json', ...headers } }
    const { data, extra } = answered.parse(await ask(url, init))
    const wrong = [data, extra].find(part => (part?.error_code ?? 0) !== 0)
    if (!wrong) return { data }
    const said = wrong.description || extra?.description || String(wrong.error_code)
    const isStale = TOKEN_TROUBLE.test(said) && dropToken(name)
    if (isStale || LATER.test(said)) throw new AskAgain(said)
    return { error: extra?.logid ? `${said} (${extra.logid})` : said }
  }
}

async function newToken({ url, clientKey, clientSecret }: DouyinShop) {
  const asked = { client_key: clientKey, client_secret: clientSecret, grant_type: 'client_credential' }
  const given = token.safeParse(await ask(new URL('/oauth/client_token/', url), asJson(asked)))
  if (!given.success) throw new AskAgain('Douyin gave no token')
  return { text: given.data.data.access_token, seconds: given.data.data.expires_in }
}
