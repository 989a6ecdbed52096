import { sql } from 'kysely'
import * as z from 'zod'
import { readGlyph } from '#engines/stroke/server.ts'
import type { Actor } from '#kit/model/actor.ts'
import { colleague, optional, text } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import type { Call } from '#kit/server/call.ts'
import { requireOffered } from '#kit/server/change/given.ts'
import { once } from '#kit/server/change/idempotency.ts'
import { operate } from '#kit/server/change/operation.ts'
import { idParams, type Route, route } from '#kit/server/http/route.ts'
import { sees } from '#kit/server/list/sees.ts'
import { said } from './comment.model.ts'
import { comment, sendBack, takeBack } from './commenting.server.ts'
import { commentViews, type Desk, desk, TAKE_BACK_MS } from './desk.model.ts'
import type { Medium } from './fields.model.ts'
import { CONTENT, type DeskOperation, letGo, renew, requireHeld, takeAgain, takeNext } from './leasing.server.ts'
import { RESOURCES } from './resources.model.ts'
import { suggest } from './suggesting.server.ts'
import { suggestion } from './suggestion.model.ts'
import { commentsOf, deskWorksOf } from './view.server.ts'

/** One of the two desks, and where it is called. */
type Place = {
  readonly app: App
  readonly medium: Medium
  readonly access: { readonly page: string; readonly action: string }
  readonly path: string
  readonly texts: string
}

/** Everything on the desk of whoever asks. */
async function deskOf({ app, medium }: Place, { id, orgId }: Actor, now: Date): Promise<Desk> {
  const { rows } = await sql<{ mine: number; department: number }>`
    select count(*) filter (where w.teacher_id = ${id} or w.assignee_id = ${id})::int as mine, count(*)::int as department
    from work w where w.status = 'SUBMITTED' and w.medium = ${medium} and ${sql.raw(CONTENT[medium])} <> '{}' and (w.assignee_id is null or w.assignee_id = ${id})
      and (w.assignee_id = ${id} or w.teacher_id is null or w.teacher_id in (select id from staff where org_id = ${orgId}))`.execute(
    app.db.query,
  )
  const justSaid = await app.db.query
    .selectFrom('work')
    .select(['id', 'no', 'lesson', 'score', 'commented_at as at'])
    .where('status', '=', 'COMMENTED')
    .where('commenter_id', '=', id)
    .where('medium', '=', medium)
    .where('commented_at', '>', new Date(now.getTime() - TAKE_BACK_MS).toISOString())
    .orderBy('commented_at', 'desc')
    .execute()
  return {
    held: await deskWorksOf(app, medium, id, now),
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

type Deed<Body> = (op: DeskOperation, id: string, body: Body) => Promise<unknown>

/** A call that changes one work of the desk, and answers the desk as it is then. */
const deed = <B extends z.ZodObject>(
  place: Place,
  name: string,
  summary: string,
  body: B,
  work: Deed<z.infer<B>>,
): Route => {
  const { app, medium, access, path, texts } = place
  return route({
    method: 'POST',
    path: `${path}/:id/${name}`,
    texts,
    access,
    params: idParams,
    body,
    answer: desk,
    summary,
    async handle(call, { params: { id }, body }) {
      // Sent again because nobody heard the answer, it is done already, and its work is on nobody's desk any more.
      await operate(app, call, op =>
        once(op.tx, call, `${path}/${id}/${name}`, body, async () => {
          await work({ ...op, medium }, id, body as z.infer<B>)
          return null
        }),
      )
      return deskOf(place, call.actor, call.now)
    },
  })
}

const nothing = z.strictObject({})

/** Back into the queue, or to a colleague. */
function letGoRoute(place: Place): Route {
  const { screen } = RESOURCES[place.medium]
  const toColleague = z.strictObject({ toId: optional(colleague(screen, 'take')) })
  return deed(place, 'let-go', 'Back into the queue, or to a colleague.', toColleague, async (op, id, { toId }) => {
    await requireHeld(op, id)
    await requireOffered(op, { page: screen.key, shape: toColleague.shape }, { toId })
    await letGo(op, id, toId)
  })
}

const deskRoute = (place: Place): Route =>
  route({
    method: 'GET',
    path: `${place.path}/desk`,
    texts: place.texts,
    access: place.access,
    answer: desk,
    summary: 'What the caller has on the desk, with links to its pictures and films, and what waits.',
    handle: call => deskOf(place, call.actor, call.now),
  })

const nextRoute = (place: Place): Route =>
  route({
    method: 'POST',
    path: `${place.path}/take-next`,
    texts: place.texts,
    access: place.access,
    answer: desk,
    summary: 'The next work onto the desk: what was handed to the caller, own pupils, then the department.',
    async handle(call) {
      await operate(place.app, call, op => takeNext({ ...op, medium: place.medium }))
      return deskOf(place, call.actor, call.now)
    },
  })

const suggestRoute = ({ app, path, texts, access }: Place): Route =>
  route({
    method: 'POST',
    path: `${path}/:id/suggest`,
    texts,
    access,
    params: idParams,
    answer: suggestion,
    summary: 'What the scorer reads on the pages of a work on the desk: characters with their reasons, and points.',
    handle: (call, { params: { id } }) => suggest(app, call, id),
  })

const takeBackRoute = (place: Place): Route =>
  route({
    method: 'POST',
    path: `${place.path}/:id/take-back`,
    texts: place.texts,
    access: place.access,
    params: idParams,
    answer: z.strictObject({ said, desk }),
    summary: 'Takes a comment back before the pupil sees it: the work is on the desk again, with what was said.',
    async handle(call, { params: { id } }) {
      const words = await operate(place.app, call, op => takeBack({ ...op, medium: place.medium }, id))
      return { said: words, desk: await deskOf(place, call.actor, call.now) }
    },
  })

const commentsRoute = ({ app, medium, path, texts }: Place): Route =>
  route({
    method: 'GET',
    path: `${path}/:id/comments`,
    texts,
    access: { page: RESOURCES[medium].screen.key, action: 'detail' },
    params: idParams,
    answer: commentViews,
    summary: 'What was said of a work, the newest first.',
    async handle(call, { params: { id } }) {
      if (!(await sees(app, RESOURCES[medium], id, call.actor)))
        throw new Refused(refuse('kit:record-missing'), 'not-found')
      return (await commentsOf(app, [id])).get(id) ?? []
    },
  })

const HAN = /^\p{Script=Han}$/u
const strokes = z.array(z.array(z.tuple([z.number(), z.number()])))

/** Finer than any screen draws it. */
const drawn = (at: number): number => Math.round(at * 10_000) / 10_000

/** Whoever sees works sees what their characters should look like. */
const glyphRoute = ({ path, texts, access: { page } }: Place): Route =>
  route({
    method: 'GET',
    path: `${path}/model-character`,
    texts,
    access: { page, action: 'list' },
    query: z.strictObject({ character: z.string().regex(HAN) }),
    answer: strokes,
    summary: 'The outlines of the strokes of a character, in their order; none where nobody has told.',
    async handle(_: Call, { query: { character } }) {
      const glyph = await readGlyph(character)
      return glyph?.strokes.map(({ outline }) => outline.map(([x, y]): [number, number] => [drawn(x), drawn(y)])) ?? []
    },
  })

/** Everything that is done at the desk of pictures, or at that of films. */
export function deskRoutes(app: App, medium: Medium): Route[] {
  const { key, name } = RESOURCES[medium].screen
  const place: Place = { app, medium, access: { page: key, action: 'take' }, path: `/${name}`, texts: name }
  return [
    deskRoute(place),
    nextRoute(place),
    glyphRoute(place),
    // Films are looked at by people alone.
    ...(medium === 'PICTURE' ? [suggestRoute(place)] : []),
    takeBackRoute(place),
    commentsRoute(place),
    deed(place, 'take-again', 'On the desk again, after its half hour was over.', nothing, takeAgain),
    deed(place, 'renew', 'Half an hour more for a work on the desk.', nothing, renew),
    letGoRoute(place),
    deed(place, 'comment', 'What the teacher says; the pupil sees it two minutes later.', said, comment),
    deed(
      place,
      'send-back',
      'The pupil is to hand it in again, and is told why.',
      z.strictObject({ reason: text() }),
      (op, id, { reason }) => sendBack(op, id, reason),
    ),
  ]
}
