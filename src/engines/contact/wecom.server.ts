import * as z from 'zod'
import type { Clock } from '#kit/model/time.ts'
import { type PlatformState, STATE_FORM } from './model.ts'
import type { ContactDoor, Follow, Move, Outcome, Person, Told } from './port.server.ts'

type WecomKeys = {
  readonly url: string
  readonly corpId: string
  readonly secret: string
  readonly clock: Clock
}

const TIMEOUT_MS = 10_000
/** A token is renewed a while before it runs out. */
const SPARE_MS = 300_000
/** Without a connection nothing was said; any other silence leaves open what was done. */
const NOT_REACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
/** Refused before anything was done: the token has run out, or it is too early to ask. */
const STALE_TOKEN: readonly number[] = [40_014, 41_001, 42_001]
const TOO_OFTEN = 45_009
/** The colleague has not been taken off the platform yet. */
const STILL_THERE = 40_097
/** Its servers were busy: how far they came, nobody says. */
const BUSY = -1

const said = z.looseObject({ errcode: z.int() })
const token = said.extend({ access_token: z.string().min(1), expires_in: z.int() })
const moved = said.extend({
  customer: z.array(z.looseObject({ external_userid: z.string(), errcode: z.int() })).default([]),
})
const results = said.extend({
  customer: z
    .array(
      z.looseObject({ external_userid: z.string(), status: z.int().min(1).max(5), takeover_time: z.int().default(0) }),
    )
    .default([]),
  next_cursor: z.string().default(''),
})

const MAX_NAME = 100
const MAX_REMARK = 200
const words = (max: number) =>
  z
    .string()
    .default('')
    .transform(said => said.trim().slice(0, max) || null)
const somebody = said.extend({
  external_contact: z.looseObject({ name: words(MAX_NAME), unionid: words(128) }).optional(),
  follow_user: z
    .array(
      z.looseObject({
        userid: z.string(),
        add_way: z.int().min(0).max(999).default(0),
        state: z.string().default(''),
        remark: words(MAX_REMARK),
        remark_mobiles: z.array(z.string()).default([]),
      }),
    )
    .default([]),
  next_cursor: z.string().default(''),
})
/** Nobody's customer any more, or never one of this company. */
const NOBODY: readonly number[] = [40_096, 84_061]

type Token = { readonly text: string; readonly until: number }
/** One token is for all callers: a new one makes the old one void before long. */
const tokens = new Map<string, Token>()

/** WeCom's customer contacts: `transfer_customer` and `transfer_result`, for those at work and for those who have left, and `get`. */
export function wecom(keys: WecomKeys, timeoutMs = TIMEOUT_MS): ContactDoor {
  const speak = async (path: string, query: object, more: RequestInit): Promise<unknown> => {
    const asked = new URLSearchParams({ access_token: await tokenOf(keys), ...query })
    const way = { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) } as const
    const response = await fetch(`${keys.url}/cgi-bin/externalcontact/${path}?${asked}`, { ...way, ...more })
    return response.json()
  }
  const post = (path: string, body: object): Promise<unknown> =>
    speak(path, {}, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return {
    async transfer({ isLeave, handover, takeover }, externalIds) {
      const silent = await tokenOf(keys).then(
        () => undefined,
        (): Outcome => ({ kind: 'later', said: 'no token' }),
      )
      if (silent) return silent
      const asked = { handover_userid: handover, takeover_userid: takeover, external_userid: externalIds }
      try {
        return outcomeOf(keys, moved.parse(await post(pathOf('transfer_customer', isLeave), asked)))
      } catch (error) {
        const code = (error as { cause?: { code?: string } }).cause?.code ?? ''
        return NOT_REACHED.has(code) ? { kind: 'later', said: code } : { kind: 'unknown' }
      }
    },
    results: async (move, asked) => {
      const known = await resultsOf(keys, post, move)
      return new Map(
        asked.map(({ externalId, calledAt }): [string, Told] => {
          const told = known.get(externalId)
          // What held before it was asked for is of an earlier time they changed hands.
          const isOlder = told?.at && told.at < calledAt
          return [externalId, told && !isOlder ? told : { state: 5, at: null }]
        }),
      )
    },
    person: externalId => personOf(keys, query => speak('get', query, {}), externalId),
  }
}

const pathOf = (call: string, isLeave: boolean): string => (isLeave ? `resigned/${call}` : call)
const nameOf = ({ url, corpId, secret }: WecomKeys): string => JSON.stringify([url, corpId, secret])

async function tokenOf(keys: WecomKeys): Promise<string> {
  const now = keys.clock.now().getTime()
  const known = tokens.get(nameOf(keys))
  if (known && known.until > now) return known.text
  const query = new URLSearchParams({ corpid: keys.corpId, corpsecret: keys.secret })
  const response = await fetch(`${keys.url}/cgi-bin/gettoken?${query}`, {
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const answer = token.safeParse(await response.json())
  if (!answer.success || answer.data.errcode !== 0) throw new Error('the chat platform gave no token')
  const { access_token: text, expires_in: seconds } = answer.data
  tokens.set(nameOf(keys), { text, until: now + seconds * 1_000 - SPARE_MS })
  return text
}

function outcomeOf(keys: WecomKeys, { errcode, customer }: z.infer<typeof moved>): Outcome {
  if (STALE_TOKEN.includes(errcode)) {
    tokens.delete(nameOf(keys))
    return { kind: 'later', said: String(errcode) }
  }
  if (errcode === TOO_OFTEN || errcode === STILL_THERE) return { kind: 'later', said: String(errcode) }
  if (errcode === BUSY) return { kind: 'unknown' }
  if (errcode !== 0) return { kind: 'refused', errcode }
  return { kind: 'answered', errcodes: new Map(customer.map(one => [one.external_userid, one.errcode])) }
}

/** Told in pages, of all that ever went from the one to the other. */
async function resultsOf(
  keys: WecomKeys,
  post: (path: string, body: object) => Promise<unknown>,
  { handover, takeover, isLeave }: Move,
): Promise<Map<string, Told>> {
  const found = new Map<string, Told>()
  let cursor = ''
  do {
    const asked = { handover_userid: handover, takeover_userid: takeover, cursor }
    const { errcode, customer, next_cursor } = results.parse(await post(pathOf('transfer_result', isLeave), asked))
    if (STALE_TOKEN.includes(errcode)) tokens.delete(nameOf(keys))
    if (errcode !== 0) throw new Error(`the chat platform answered ${errcode}`)
    for (const { external_userid: id, status, takeover_time: at } of customer)
      found.set(id, { state: status as PlatformState, at: at > 0 ? new Date(at * 1_000) : null })
    if (next_cursor === cursor) break
    cursor = next_cursor
  } while (cursor !== '')
  return found
}

/** Told in pages, where very many colleagues have the same customer. */
async function personOf(
  keys: WecomKeys,
  get: (query: object) => Promise<unknown>,
  externalId: string,
): Promise<Person | undefined> {
  const follows: Follow[] = []
  let cursor = ''
  for (;;) {
    const told = somebody.parse(await get({ external_userid: externalId, cursor }))
    const { errcode, external_contact: person, follow_user: some, next_cursor: next } = told
    if (NOBODY.includes(errcode)) return undefined
    if (STALE_TOKEN.includes(errcode)) tokens.delete(nameOf(keys))
    if (errcode !== 0 || !person) throw new Error(`the chat platform answered ${errcode}`)
    for (const { userid: userId, add_way: way, state, remark, remark_mobiles: phones } of some)
      follows.push({ userId, addWay: String(way), state: STATE_FORM.test(state) ? state : null, remark, phones })
    if (next === '' || next === cursor) return { name: person.name, unionid: person.unionid, follows }
    cursor = next
  }
}
