import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { resource as messages } from '#areas/system/message/model.ts'
import { type Kind, samplesOf, type Variable, variablesOf, whyNotFilled } from '#engines/message/model.ts'
import {
  messageWanted,
  type OfferedTemplate,
  offeredTemplates,
  shippedMessages,
  templateInForce,
} from '#engines/message/server.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { type Gate, requireAttempt } from '#kit/server/access/gate.ts'
import type { App } from '#kit/server/app.ts'
import { announce } from '#kit/server/change/announce.ts'
import { record } from '#kit/server/change/audit.ts'
import { type Operation, operate } from '#kit/server/change/operation.ts'
import { answer } from '#kit/server/change/question.ts'
import type { Queries, Reading } from '#kit/server/change/rules.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { idParams, type Route, type Routes, route } from '#kit/server/http/route.ts'
import { holdersOf } from '#kit/server/list/holders.ts'
import { serveEditions } from '#kit/server/serve/serve-editions.ts'
import { type Drafted, type MessageTemplate, resource, workflow } from './model.ts'

const NAME = resource.screen.name

/** A message names the edition its words are from. */
const SENT = { table: 'message', edition: 'edition_id', holder: 'id' }

const servedFor = (app: Pick<App, 'listeners'>) =>
  serveEditions(resource, workflow, {
    async complete(_op, body) {
      const wrong = whyNotFilled(body, body.variables)
      if (wrong) throw onField(wrong.code.endsWith('variable-unknown') ? 'body' : 'variables', wrong)
      return body
    },
    facts: (db, rows) => draftsOf(app, db, rows),
    uses: ({ db }, asked) => holdersOf(db, messages, { name: 'uses.messages', rows: SENT }, asked),
    kept: async (_db, rows) =>
      new Map(rows.filter(({ isShipped }) => isShipped).map(({ id }) => [id, refuse('template-shipped')])),
    constraints: {
      message_template_code: { code: 'kit:taken', field: 'code' },
      message_template_id_fkey: { code: 'template-used' },
      campaign_template: { code: 'template-used' },
    },
  })

export const routes: Routes = app => [...servedFor(app).routes(app), testRoute(app)]
export const { invariants } = servedFor({ listeners: [] })

/** What waits in the drafts of these templates, and what fills those the console sends by itself. */
async function draftsOf(
  app: Pick<App, 'listeners'>,
  db: Reading,
  rows: readonly MessageTemplate[],
): Promise<Map<string, Drafted>> {
  const shipped = await shippedMessages(app)
  const drafts = await db
    .selectFrom('message_template_edition as e')
    .innerJoin('message_template as t', 't.id', 'e.template_id')
    .select(['t.id', 't.code', 'e.body'])
    .where(
      't.id',
      'in',
      rows.map(({ id }) => id),
    )
    .where('e.state', '=', 'DRAFT')
    .execute()
  return new Map(
    drafts.map(({ id, code, body }) => {
      const message = shipped.get(code)
      const { body: text, variables } = body as Body
      return [id, { body: text, variables, filledBy: message && variablesOf(message) }]
    }),
  )
}

type Body = {
  readonly title: string
  readonly body: string
  readonly variables: readonly Variable[]
  readonly providerCode: string | null
}

const TESTS: Gate = { kind: 'message-test', limit: 20, windowMs: 86_400_000 }

function testRoute(app: App): Route {
  return route({
    method: 'POST',
    path: `/${NAME}/:id/test`,
    texts: NAME,
    access: { page: resource.screen.key, action: 'test' },
    params: idParams,
    answer: z.strictObject({ to: z.enum(['phone', 'email', 'console']) }),
    summary: 'Sends the draft, or what is published, filled with its samples, to the caller and nobody else.',
    async handle(call, { params: { id } }) {
      await requireAttempt(app.db.query, TESTS, call.actor.id, call.now)
      // Removed while it was being sent.
      const gone = { message_template_id_fkey: { code: 'kit:record-missing' } }
      return operate(app, call, op => test(op, id), gone)
    },
  })
}

const PLACES = { SMS: 'phone', EMAIL: 'email', WEB: 'console' } as const

async function test(op: Operation, id: string): Promise<{ to: (typeof PLACES)[keyof typeof PLACES] }> {
  const found = await op.tx
    .selectFrom('message_template as t')
    .innerJoin('message_template_edition as e', 'e.template_id', 't.id')
    .select(['t.code', 't.channel', 't.kind', 'e.body'])
    .where('t.id', '=', id)
    .where('e.state', 'in', ['DRAFT', 'PUBLISHED'])
    // The draft first: it is what somebody wants to see before others do.
    .orderBy('e.state')
    .limit(1)
    .executeTakeFirst()
  if (!found) throw new Refused(refuse('kit:record-missing'), 'not-found')
  const { code, channel, kind } = found
  const { title, body, variables, providerCode } = found.body as Body
  const { phone, email } = await op.tx
    .selectFrom('staff')
    .select(['phone', 'email'])
    .where('id', '=', op.actor.id)
    .executeTakeFirstOrThrow()
  const address = channel === 'SMS' ? phone : email
  if (channel !== 'WEB' && !address) throw new Refused(refuse(channel === 'SMS' ? 'no-phone' : 'no-email'))
  await announce(op, messageWanted, {
    // Advertising to oneself is a test and no advertising.
    message: { code, channel, kind: kind === 'MARKETING' ? 'NOTICE' : kind, title, body, holes: {} },
    to: { staffId: op.actor.id, address },
    filled: samplesOf(variables),
    about: `test:${id}:${randomUUID()}`,
    trial: { templateId: id, editionId: null, title, body, providerCode },
  })
  await record(op.tx, op.call, { page: resource.screen.key, action: 'test', recordId: id })
  return { to: PLACES[channel] }
}

async function inForce(tx: Tx, code: string) {
  const found = await tx
    .selectFrom('message_template as t')
    .innerJoin('message_template_edition as e', join =>
      join.onRef('e.template_id', '=', 't.id').on('e.state', '=', 'PUBLISHED'),
    )
    .select(['t.id as templateId', 'e.id as editionId', 't.title', 't.body', 't.provider_code as providerCode'])
    .where('t.code', '=', code)
    .executeTakeFirst()
  return found
}

const offered = (db: Queries, kind: Kind): Promise<OfferedTemplate[]> =>
  db
    .selectFrom('message_template as t')
    .innerJoin('message_template_edition as e', join =>
      join.onRef('e.template_id', '=', 't.id').on('e.state', '=', 'PUBLISHED'),
    )
    .select(['t.id as templateId', 'e.id as editionId', 't.code', 't.title', 't.body', 't.variables'])
    .select('t.provider_code as providerCode')
    .where('t.channel', '=', 'SMS')
    .where('t.kind', '=', kind)
    .orderBy('t.title')
    .execute() as Promise<OfferedTemplate[]>

export const answers = [
  answer(templateInForce, (_app, { tx, code }) => inForce(tx, code)),
  answer(offeredTemplates, (_app, { db, kind }) => offered(db, kind)),
]
