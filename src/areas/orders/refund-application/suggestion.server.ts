import * as z from 'zod'
import { findOrder } from '#areas/orders/order/refunds.server.ts'
import { ID } from '#kit/model/field.ts'
import type { App } from '#kit/server/app.ts'
import { type Route, route } from '#kit/server/http/route.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { calculatedLine, suggestedLine, type UnsentChoice } from './calculation.model.ts'
import { known, requirePaid } from './calculation.server.ts'
import { reasonsToAsk } from './judging.server.ts'
import { resource } from './model.ts'
import { routesOf } from './paying.server.ts'
import { ROUTES } from './route.model.ts'
import { l2Reason } from './second-approval.model.ts'
import { settings } from './settings.model.ts'
import { type Choices, divide, suggest } from './suggesting.model.ts'

const ids = z
  .string()
  .regex(/^(\d{1,18}(,\d{1,18}){0,99})?$/)
  .optional()
const query = z.strictObject({
  orderId: z.string().regex(ID),
  /** What is to be asked for; nothing: what is suggested. */
  amountFen: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  /** Lines whose unsent goods stay here, and lines whose goods leave all the same. */
  cancel: ids,
  send: ids,
})

const choicesOf = ({ cancel, send }: z.infer<typeof query>): Choices => {
  const each = (list: string | undefined, choice: UnsentChoice) =>
    (list ?? '').split(',').flatMap(lineId => (lineId === '' ? [] : [[lineId, choice] as const]))
  return new Map([...each(cancel, 'CANCEL'), ...each(send, 'SEND')])
}

/** For the eye only: what is stored is calculated again under the locks. */
export const suggestion = (app: App): Route =>
  route({
    method: 'GET',
    path: `/${resource.screen.name}/suggestion`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'create' },
    query,
    answer: z.strictObject({
      suggestedFen: z.int(),
      leftFen: z.int(),
      windowDays: z.int(),
      /** The ways the money can go back, the usual one first. */
      routes: z.array(z.enum(ROUTES)),
      lines: z.array(suggestedLine),
      /** What so much would take with it; nothing when there is not so much. */
      taken: z.array(calculatedLine).nullable(),
      l2Reasons: z.array(l2Reason),
    }),
    summary:
      'What an order should give back if it were asked for now, how that comes about, and what it would take with it.',
    async handle({ actor, now }, { query: asked }) {
      const db = app.db.query
      const order = requirePaid(await findOrder(db, actor, asked.orderId))
      const terms = await settingsOf(app, settings)
      const facts = await known(app, db, { order, now, terms })
      const choices = choicesOf(asked)
      const amountFen = asked.amountFen ?? suggest(facts, choices).suggestedFen
      const divided = divide(facts, amountFen, choices)
      const calculation = divided?.calculation ?? suggest(facts, choices)
      const { lines, suggestedFen, leftFen } = calculation
      const taken = divided ? [...divided.lines] : null
      return {
        suggestedFen,
        leftFen,
        windowDays: terms.windowDays,
        routes: await routesOf(db, order.id),
        lines: lines.map(({ lots, leftFen: _left, keptFen: _kept, ...line }) => line),
        taken,
        l2Reasons: await reasonsToAsk(
          db,
          { order, known: facts, now },
          { amountFen, payee: null, lines: taken, calculation },
        ),
      }
    },
  })
