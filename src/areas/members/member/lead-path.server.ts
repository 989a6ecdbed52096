import * as z from 'zod'
import { creditOf, endsOf } from '#engines/attribution/model.ts'
import { touchesOf } from '#engines/attribution/server.ts'
import { type Mark, type PathStep, pathStep } from '#engines/lead/path.model.ts'
import { pathOf } from '#engines/lead/path.server.ts'
import type { Actor } from '#kit/model/actor.ts'
import type { App } from '#kit/server/app.ts'
import { ask, defineQuestion } from '#kit/server/change/question.ts'
import { REGISTERED } from './leads.server.ts'
import { sideRoute } from './side.server.ts'

/** What a member paid first, and what was given back: orders know, and who may see of it what. */
export type Paid = {
  readonly kind: 'BOUGHT' | 'REFUNDED'
  readonly id: string
  readonly at: string
  /** Nothing for whoever may not see that order. */
  readonly fen: number | null
}
export const paidByMember = defineQuestion<{ memberId: string; actor: Actor }, readonly Paid[]>(
  'member-paid-and-refunded',
)

/** From the first trace of the number to the first payment, and what was given back. */
export const leadPathRoute = (app: App) =>
  sideRoute(app, {
    path: 'lead-path',
    answer: z.array(pathStep),
    summary:
      'How the member came to us, from the first trace of the number to the first payment and refunds, oldest first.',
    async read({ id, actor }): Promise<PathStep[]> {
      const [before, { member, marks }, paid] = await Promise.all([
        pathOf(app.db.query, id),
        marksOf(app, id),
        ask(app, paidByMember, { memberId: id, actor }),
      ])
      const { created_at: at, correctedAt, by } = member
      const [source, channel] = [member.entered_source ?? member.source, member.entered_channel ?? member.channel]
      // What the app said with it is told by this step.
      const touches = before.filter(({ key }) => key !== REGISTERED)
      const came = touches.map(({ step, key }) => ({ ...step, marks: marks(key) }))
      const registered = { ...BARE, id: 'registered', at, kind: 'REGISTERED', source, channel } as const
      const corrected =
        correctedAt === null
          ? []
          : [
              {
                ...BARE,
                ...told(member),
                id: 'corrected',
                at: correctedAt,
                kind: 'CORRECTED',
                by,
                marks: marks(CORRECTED),
              } as const,
            ]
      const money = paid.map(({ id: nth, ...one }) => ({ ...BARE, ...one, id: `${one.kind}-${nth}` }))
      // Whoever is given a further number has come before what is told of it.
      return [...came, { ...registered, marks: marks(REGISTERED) }, ...corrected, ...money].sort(
        (a, b) => Date.parse(a.at) - Date.parse(b.at),
      )
    },
  })

/** The step by which somebody said where the member came from in fact. */
const CORRECTED = 'corrected'
const told = ({ source, channel }: { readonly source: string; readonly channel: string }) => ({ source, channel })

const BARE = {
  ...{ cameBy: null, source: null, channel: null, consent: null, about: null, times: 1 },
  ...{ owner: null, got: null, by: null, fen: null, marks: [] },
}

/** What each touch is to the channel the member belongs to; of who has not paid, which were the first and the last so far. */
async function marksOf(app: App, memberId: string) {
  const member = await app.db.query
    .selectFrom('member as m')
    .leftJoin('staff as s', 's.id', 'm.origin_corrected_by_id')
    .select(['m.created_at', 'm.source', 'm.channel', 'm.first_paid_at', 'm.credit_days'])
    .select(['m.entered_source', 'm.entered_channel', 'm.origin_corrected_at as correctedAt', 's.name as by'])
    .where('m.id', '=', memberId)
    .executeTakeFirstOrThrow()
  const touches = (await touchesOf(app.db.query, [memberId])).get(memberId) ?? []
  const { first_paid_at: paidAt, credit_days: days, source, channel } = member
  const isCorrected = member.correctedAt !== null
  const { first, last } = endsOf(touches, paidAt === null ? app.clock.now() : new Date(paidAt))
  const counted =
    paidAt === null || days === null
      ? undefined
      : isCorrected
        ? CORRECTED
        : (creditOf(touches, { paidAt: new Date(paidAt), days, own: { source, channel } }).key ?? REGISTERED)
  const marks = (key: string | null): Mark[] => {
    if (key === null) return []
    const named = [
      ['FIRST', first?.key],
      ['LAST', last?.key],
      ['COUNTS', counted],
    ] as const
    return named.flatMap(([mark, of]) => (of === key ? [mark] : []))
  }
  return { member, marks }
}
