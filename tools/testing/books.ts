import { expect } from 'vitest'
import {
  capKey,
  carriedOf,
  type Deducted,
  deductionsOf,
  type Edition,
  type Entry,
  type Happening,
  isHolding,
  type Judged,
  judgeAll,
  moveOf,
  subjectKey,
  sumOf,
} from '../../src/engines/settlement/model.ts'

type Line = { readonly entry: Entry; readonly amountFen: number; readonly priceId: string | null }
export type Refund = { readonly orderId: string; readonly fen: number; readonly at: string }
export type Statement = {
  readonly to: string
  readonly at: string
  /** Taken off by hand while it is a draft, and put right afterwards on the next one. */
  readonly deduct?: number
  readonly correct?: number
}
export type Told = {
  readonly prices: readonly Edition[]
  readonly events: readonly Happening[]
  readonly refunds?: readonly Refund[]
  readonly held?: readonly string[]
  readonly statements: readonly Statement[]
}

/** A partner's books in memory: one statement after the other, by the rules alone. */
function keepBooks({ prices, events, refunds = [], held = [], statements }: Told) {
  const book: Judged[] = []
  const drawn: { lines: Line[]; totalFen: number }[] = []
  let waiting: Line[] = []
  for (const { to, at, deduct = 0, correct = 0 } of statements) {
    const now = new Date(at)
    const refundedOf = (orderId: string | null) =>
      refunds
        .filter(refund => refund.orderId === orderId && new Date(refund.at) <= now)
        .reduce((sum, { fen }) => sum + fen, 0)
    const known = new Set(book.map(subjectKey))
    const fresh = events
      .filter(event => event.at < new Date(`${to}T24:00:00+08:00`) && !known.has(subjectKey(event)))
      .map(event => ({ ...event, refundedFen: refundedOf(event.orderId) }))
    const taken = new Map<string, number>()
    for (const { kind, at: on, verdict } of book)
      if (isHolding(verdict)) taken.set(capKey(kind, on), (taken.get(capKey(kind, on)) ?? 0) + 1)
    const moved = book.flatMap((event, place) => {
      const edition = prices.find(({ id }) => id === event.priceId)
      const move = edition && moveOf(event, edition, refundedOf(event.orderId), now)
      if (move) book[place] = { ...event, ...move }
      return move ? [{ entry: move.entry, amountFen: move.amountFen, priceId: event.priceId }] : []
    })
    const judged = judgeAll(fresh, { editions: prices, held: new Set(held), taken, now })
    book.push(...judged)
    const lines: Line[] = [
      ...judged.map(({ verdict, worthFen, priceId }) => ({ entry: verdict, amountFen: worthFen, priceId })),
      ...moved,
      ...waiting,
      ...(deduct > 0 ? [{ entry: 'DEDUCTION' as const, amountFen: -deduct, priceId: null }] : []),
    ]
    const deducted = new Map(prices.map(({ id }) => [id, deductedIn(drawn, id)]))
    lines.push(...deductionsOf(lines, prices, deducted).map(line => ({ ...line, entry: 'DEDUCTION' as const })))
    const carried = carriedOf(sumOf(lines))
    waiting = []
    if (carried > 0) {
      lines.push({ entry: 'CARRIED', amountFen: carried, priceId: null })
      waiting.push({ entry: 'CARRIED', amountFen: -carried, priceId: null })
    }
    if (correct !== 0) waiting.push({ entry: 'CORRECTION', amountFen: correct, priceId: null })
    drawn.push({ lines, totalFen: sumOf(lines) })
  }
  return { book, drawn, waiting }
}

/** What earlier statements say a price brought, and what was taken off that. */
function deductedIn(drawn: readonly { readonly lines: readonly Line[] }[], id: string): Deducted {
  const of = drawn.flatMap(({ lines }) => lines).filter(({ priceId }) => priceId === id)
  const taken = of.filter(({ entry }) => entry === 'DEDUCTION')
  return { broughtFen: sumOf(of.filter(line => !taken.includes(line))), takenFen: -sumOf(taken) }
}

export const price = (over: Partial<Edition> = {}): Edition => ({
  id: '1',
  kind: 'REGISTERED',
  validFrom: '2026-01-01',
  validTo: null,
  priceFen: 1_000,
  sharePermille: null,
  windowDays: null,
  freezeDays: 0,
  monthlyCap: null,
  deductionPermille: 0,
  ...over,
})
export const share = (permille: number, over: Partial<Edition> = {}): Edition =>
  price({ kind: 'SHARE', priceFen: null, sharePermille: permille, ...over })
export const first = (over: Partial<Edition> = {}): Edition => price({ kind: 'FIRST_ORDER', priceFen: 6_000, ...over })

export const came = (at: string, over: Partial<Happening> = {}): Happening => ({
  kind: 'REGISTERED',
  subjectId: '1',
  memberId: '1',
  orderId: null,
  at: new Date(`${at}+08:00`),
  memberSince: new Date(`${at}+08:00`),
  baseFen: 0,
  refundedFen: 0,
  isStaff: false,
  isOld: false,
  ...over,
})
export const bought = (at: string, baseFen: number, over: Partial<Happening> = {}): Happening =>
  came(at, { kind: 'SHARE', orderId: over.subjectId ?? '1', baseFen, ...over })
export const firstBought = (at: string, baseFen: number, over: Partial<Happening> = {}): Happening =>
  bought(at, baseFen, { kind: 'FIRST_ORDER', ...over })

export const MARCH: Statement = { to: '2026-03-31', at: '2026-04-01T02:20:00+08:00' }
export const APRIL: Statement = { to: '2026-04-30', at: '2026-05-01T02:20:00+08:00' }
export const MAY: Statement = { to: '2026-05-31', at: '2026-06-01T02:20:00+08:00' }
export const back = (fen: number, at: string, orderId = '1'): Refund => ({ orderId, fen, at: `${at}+08:00` })

/** What each statement says, line by line, and what it comes to; last what waits for the next one. */
export type Case = readonly [name: string, told: Told, ...statements: (readonly [total: number, ...lines: string[]])[]]

/** What each statement comes to, and its lines. */
export const written = (told: Told) =>
  keepBooks(told).drawn.map(({ totalFen, lines }) => [
    totalFen,
    ...lines.map(({ entry, amountFen }) => `${entry} ${amountFen}`),
  ])

/** As tests are named and given. */
export const named = (cases: readonly Case[]) => cases.map(([name, told, ...expected]) => ({ name, told, expected }))

/** Nothing is lost between statements, nothing paid twice, and nobody is asked to pay us. */
export function expectConserved(told: Told): void {
  const { book, drawn, waiting } = keepBooks(told)
  const besides = [...drawn.flatMap(({ lines }) => lines), ...waiting].filter(({ entry }) =>
    ['DEDUCTION', 'CORRECTION', 'CARRIED'].includes(entry),
  )
  const settled = drawn.reduce((sum, { totalFen }) => sum + totalFen, 0)
  expect(settled + sumOf(waiting)).toBe(book.reduce((sum, { worthFen }) => sum + worthFen, 0) + sumOf(besides))
  expect(drawn.every(({ totalFen }) => totalFen >= 0)).toBe(true)
  const paid = book.filter(({ verdict }) => isHolding(verdict)).map(subjectKey)
  expect(new Set(paid).size).toBe(paid.length)
}
