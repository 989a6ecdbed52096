import { sql } from 'kysely'
import * as z from 'zod'
import { readGlyph } from '#engines/stroke/server.ts'
import type { Actor } from '#kit/model/actor.ts'
import { colleague, optional, text } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Resource } from '#kit/model/resource.ts'
import type { App } from '#kit/server/app.ts'
import type { Call } from '#kit/server/call.ts'
import { requireOffered } from '#kit/server/change/given.ts'
import { type Operation, operate } from '#kit/server/change/operation.ts'
import { idParams, type Route, type Routes, route } from '#kit/server/http/route.ts'
import { sees } from '#kit/server/list/sees.ts'
import { said } from './comment.model.ts'
import { comment, sendBack, takeBack } from './commenting.server.ts'
import { commentViews, type Desk, desk, TAKE_BACK_MS } from './desk.model.ts'
import { letGo, renew, requireHeld, takeAgain, takeNext } from './leasing.server.ts'
import { resource } from './model.ts'
import { commentsOf, deskWorksOf } from './view.server.ts'

const access = { page: resource.screen.key, action: 'take' }
const path = `/${resource.screen.name}`
const texts = resource.screen.name

/** Everything on the desk of whoever asks. */
async function deskOf(app: App, { id, orgId }: Actor, now: Date): Promise<Desk> {
  const { rows } = await sql<{ mine: number; department: number }>`
    select count(*) filter (where w.teacher_id = ${id} or w.assignee_id = ${id})::int as mine, count(*)::int as department
    from work w where w.status = 'SUBMITTED' and w.picture <> '{}' and (w.assignee_id is null or w.assignee_id = ${id})
      and (w.assignee_id = ${id} or w.teacher_id is null or w.teacher_id in (select id from staff where org_id = ${orgId}))`.execute(
    app.db.query,
  )
  const justSaid = await app.db.query
    .selectFrom('work')
    .select(['id', 'no', 'lesson', 'score', 'commented_at as at'])
    .where('status', '=', 'COMMENTED')
    .where('commenter_id', '=', id)
    .where('commented_at', '>', new Date(now.getTime() - TAKE_BACK_MS).toISOString())
    .orderBy('commented_at', 'desc')
    .execute()
  return {
    held: await deskWorksOf(app, id, now),
    waiting: rows[0] ?? { mine: 0, department: 0 },
    said: justSaid.map(({ id, no, lesson, score, at }) => ({
      id,
      no,
      lesson,
      score: score ?? 0,
      until: new Date(new Date(at ?? 0).getTime() + TAKE_BACK_MS).toISOString(),
    })),
  }
}

type Deed<Body> = (op: Operation, id: string, body: Body) => Promise<unknown>

/** A call that changes one work of the desk, and answers the desk as it is then. */
const deed = <B extends z.ZodObject>(app: App, name: string, summary: string, body: B, work: Deed<z.infer<B>>): Route =>
  route({
    method: 'POST',
    path: `${path}/:id/${name}`,
    texts,
    access,
    params: idParams,
    body,
    answer: desk,
    summary,
    async handle(call, { params: { id }, body }) {
      await operate(app, call, op => work(op, id, body as z.infer<B>))
      return deskOf(app, call.actor, call.now)
    },
  })

const nothing = z.strictObject({})
const toColleague = z.strictObject({ toId: optional(colleague(resource.screen, 'take')) })

async function pass(op: Operation, id: string, { toId }: z.infer<typeof toColleague>): Promise<void> {
  await requireHeld(op, id)
  await requireOffered(op, { page: resource.screen.key, shape: toColleague.shape }, { toId })
  await letGo(op, id, toId)
}

const deskRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `${path}/desk`,
    texts,
    access,
    answer: desk,
    summary: 'What lies on the desk of the caller, what can still be taken back, and how many wait.',
    handle: call => deskOf(app, call.actor, call.now),
  })

const nextRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: `${path}/take-next`,
    texts,
    access,
    answer: desk,
    summary: 'Puts the next work on the desk: what was handed to the caller, own pupils, then the department.',
    async handle(call) {
      await operate(app, call, takeNext)
      return deskOf(app, call.actor, call.now)
    },
  })

const takeBackRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: `${path}/:id/take-back`,
    texts,
    access,
    params: idParams,
    answer: z.strictObject({ said, desk }),
    summary: 'Takes a comment back before the pupil sees it: the work is on the desk again, with what was said.',
    async handle(call, { params: { id } }) {
      const words = await operate(app, call, op => takeBack(op, id))
      return { said: words, desk: await deskOf(app, call.actor, call.now) }
    },
  })

const commentsRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: `${path}/:id/comments`,
    texts,
    access: { page: resource.screen.key, action: 'detail' },
    params: idParams,
    answer: commentViews,
    summary: 'What was said of a work, the newest first.',
    async handle(call, { params: { id } }) {
      if (!(await sees(app, resource as unknown as Resource, id, call.actor)))
        throw new Refused(refuse('kit:record-missing'), 'not-found')
      return (await commentsOf(app, [id])).get(id) ?? []
    },
  })

const HAN = /^\p{Script=Han}$/u
const strokes = z.array(z.array(z.tuple([z.number(), z.number()])))

/** Finer than any screen draws it. */
const drawn = (at: number): number => Math.round(at * 10_000) / 10_000

const glyphRoute = (_app: App): Route =>
  route({
    method: 'GET',
    path: `${path}/model-character`,
    texts,
    access,
    query: z.strictObject({ character: z.string().regex(HAN) }),
    answer: strokes,
    summary: 'The outlines of the strokes of a character, in their order; none where nobody has told.',
    async handle(_: Call, { query: { character } }) {
      const glyph = await readGlyph(character)
      return glyph?.strokes.map(({ outline }) => outline.map(([x, y]): [number, number] => [drawn(x), drawn(y)])) ?? []
    },
  })

export const deskRoutes: Routes = app => [
  deskRoute(app),
  nextRoute(app),
  glyphRoute(app),
  takeBackRoute(app),
  commentsRoute(app),
  deed(app, 'take-again', 'On the desk again, after its half hour was over.', nothing, takeAgain),
  deed(app, 'renew', 'Half an hour more for a work on the desk.', nothing, renew),
  deed(app, 'let-go', 'Back into the queue, or to a colleague.', toColleague, pass),
  deed(app, 'comment', 'What the teacher says; the pupil sees it two minutes later.', said, comment),
  deed(
    app,
    'send-back',
    'The pupil is to hand it in again, and is told why.',
    z.strictObject({ reason: text() }),
    (op, id, { reason }) => sendBack(op, id, reason),
  ),
]
