import { randomUUID } from 'node:crypto'
import { dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import type { Source } from '#kit/server/live/event.ts'
import { secretOf, signatureOf } from '#kit/server/live/inbox-secret.ts'

const FIRST_MS = 8_000
const SHORTEST_MS = 20_000
const LONGEST_MS = 60_000
const CALL_MS = 5_000

export type Simulator = {
  /** Plays one event now; says which, or nothing where there is no business to play with. */
  play(): Promise<string | undefined>
  close(): Promise<void>
}

type World = Pick<App, 'db' | 'env' | 'log' | 'clock'>
type Chance = () => number

/** Plays the app and the platforms through the signed door, at the pace of a quiet evening (architecture §5). */
export function startSimulator(world: World, url: string, chance: Chance = Math.random): Simulator {
  let timer: NodeJS.Timeout | undefined
  let playing: Promise<unknown> = Promise.resolve()
  let closed = false
  const play = async () => {
    const event = await nextEvent(world, chance)
    return event && ((await send(world, url, event)) ? event.type : undefined)
  }
  const wait = (ms: number) => {
    timer = setTimeout(() => {
      playing = play()
        .catch(error => world.log.debug({ err: error }, 'a simulated event was not sent'))
        .finally(() => {
          if (!closed) wait(SHORTEST_MS + chance() * (LONGEST_MS - SHORTEST_MS))
        })
    }, ms)
  }
  wait(FIRST_MS)
  return {
    play,
    async close() {
      closed = true
      clearTimeout(timer)
      await playing
    },
  }
}

type Event = { source: Source; type: string; data: Record<string, unknown> }

/** Mostly people look, some of them buy, and now and then one wants the money back. */
async function nextEvent({ db, clock }: World, chance: Chance): Promise<Event | undefined> {
  const [sold] = await db.read.rows(
    `select m.id::text as member_id, m.phone, o.product_name, o.amount_fen, o.source
     from sales_order o join member m on m.id = o.member_id
     where o.id >= $1::float8 * (select max(id) from sales_order) order by o.id limit 1`,
    [chance()],
  )
  if (!sold) return undefined
  const { member_id: memberId, phone, product_name: product } = sold
  const kind = chance()
  if (kind < 0.6) {
    return {
      source: 'app',
      type: 'order.browsed',
      data: { key: `browse:${memberId}:${product}`.slice(0, 100), memberId, product },
    }
  }
  if (kind < 0.9) {
    return {
      source: 'app',
      type: 'order.placed',
      data: { phone, product, amountFen: Number(sold.amount_fen), source: sold.source },
    }
  }
  const orderNo = `${dayOf(clock.now()).replaceAll('-', '')}${digits(chance, 10)}`
  // Every third buyer on the platform has not registered in the app.
  const buyer = chance() < 0.67 ? { leadMobile: phone, mobilePhone: phone } : { leadMobile: `199${digits(chance, 8)}` }
  return { source: 'douyin', type: 'voucher.refunded', data: { orderNo, ...buyer } }
}

const digits = (chance: Chance, count: number): string =>
  Array.from({ length: count }, () => Math.floor(chance() * 10)).join('')

async function send({ env, clock, log }: World, url: string, { source, type, data }: Event): Promise<boolean> {
  const body = JSON.stringify({ id: randomUUID(), type, data })
  const timestamp = String(clock.now().getTime())
  const answer = await fetch(new URL(`/api/open/v1/${source}/events`, url), {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-inkstone-timestamp': timestamp,
      'x-inkstone-signature': signatureOf(secretOf(env.INBOX_SECRET ?? '', source), timestamp, body),
    },
    signal: AbortSignal.timeout(CALL_MS),
  })
  if (!answer.ok) log.warn({ status: answer.status, type }, 'a simulated event was refused')
  return answer.ok
}
