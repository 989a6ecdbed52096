import { sql } from 'kysely'
import * as z from 'zod'
import { type Actor, can } from '#kit/model/actor.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Resource } from '#kit/model/resource.ts'
import type { App } from '../app.ts'
import { record } from '../change/audit.ts'
import { operate } from '../change/operation.ts'
import type { Tx } from '../database/database.ts'
import { idParams, type Route, route } from '../http/route.ts'
import { badParameter, badValue, readListQuery } from '../list/list-query.ts'
import { spellingOf } from '../text/pinyin.ts'

const texts = 'kit/server/view'
const MAX_VIEWS = 50
const MAX_OFFERED = 500
const pageKey = z.string().min(1).max(100)
const body = z.strictObject({
  name: z.string().trim().min(1).max(50),
  /** A list's address after "?": filters, search, sort, and how rows are looked at. */
  query: z.string().max(2_000),
  isShared: z.boolean(),
})
const view = z.strictObject({
  id: z.string(),
  name: z.string(),
  query: z.string(),
  isShared: z.boolean(),
  isMine: z.boolean(),
  by: z.string(),
})
const CONSTRAINTS = { saved_view_staff_id_page_name_key: { code: 'kit:taken', field: 'name' } }

/** Views of a list a person keeps, and those colleagues share: names for an address, which opens no row to anybody. */
export const viewRoutes = (app: App): Route[] => [
  listRoute(app),
  everyRoute(app),
  createRoute(app),
  changeRoute(app),
  removeRoute(app),
]

function listRoute(app: App): Route {
  return route({
    method: 'GET',
    path: '/common/view',
    access: 'session',
    texts,
    query: z.strictObject({ page: pageKey }),
    answer: z.strictObject({ views: z.array(view), mayShare: z.boolean() }),
    summary: 'Own views of a page and those shared with everybody who holds it.',
    async handle({ actor }, { query: { page } }) {
      requirePage(app, actor, page)
      const rows = await app.db.query
        .selectFrom('saved_view as v')
        .innerJoin('staff as s', 's.id', 'v.staff_id')
        .select(['v.id', 'v.name', 'v.query', 'v.is_shared', 'v.staff_id', 's.name as by'])
        .where('v.page', '=', page)
        .where(eb => eb.or([eb('v.staff_id', '=', actor.id), eb('v.is_shared', '=', true)]))
        .orderBy('v.name')
        .orderBy('v.id')
        .execute()
      const views = rows.map(row => shown(row, actor))
      return { views, mayShare: await mayShare(app.db.query, actor, page) }
    },
  })
}

/** What the search behind ⌘K offers: names are spelled, for they are typed as everything is. */
function everyRoute(app: App): Route {
  return route({
    method: 'GET',
    path: '/common/views',
    access: 'session',
    texts,
    answer: z.array(view.extend({ page: z.string(), names: z.array(z.string()) })),
    summary: 'Views of all lists of the caller, own ones first, with what they are found by.',
    async handle({ actor }) {
      const pages = app.catalogue.slices.flatMap(({ resource }) =>
        resource && can(actor, resource.screen.key, 'list') ? resource.screen.key : [],
      )
      const rows = await app.db.query
        .selectFrom('saved_view as v')
        .innerJoin('staff as s', 's.id', 'v.staff_id')
        .select(['v.id', 'v.page', 'v.name', 'v.query', 'v.is_shared', 'v.staff_id', 's.name as by'])
        .where('v.page', 'in', ['', ...pages])
        .where(eb => eb.or([eb('v.staff_id', '=', actor.id), eb('v.is_shared', '=', true)]))
        .orderBy(eb => eb('v.staff_id', '=', actor.id), 'desc')
        .orderBy('v.name')
        .orderBy('v.id')
        .limit(MAX_OFFERED)
        .execute()
      return Promise.all(
        rows.map(async row => ({ ...shown(row, actor), page: row.page, names: await spelled(row.name) })),
      )
    },
  })
}

const spelled = async (name: string): Promise<string[]> => [name, ...Object.values(await spellingOf(name))]

type Stored = Pick<z.infer<typeof view>, 'id' | 'name' | 'query' | 'by'> & { is_shared: boolean; staff_id: string }
const shown = ({ id, name, query, by, is_shared, staff_id }: Stored, actor: Actor) => ({
  id,
  name,
  query,
  by,
  isShared: is_shared,
  isMine: staff_id === actor.id,
})

function createRoute(app: App): Route {
  return route({
    method: 'POST',
    path: '/common/view',
    access: 'session',
    texts,
    body: body.extend({ page: pageKey }),
    answer: z.strictObject({ id: z.string() }),
    summary: 'Keeps filters, search and sort of a list under a name.',
    handle: (call, { body: { page, ...given } }) =>
      operate(
        app,
        call,
        async ({ tx, actor, now }) => {
          await requireView(tx, requirePage(app, actor, page), actor, given)
          // One at a time for each person: two tabs that save at once must not pass the limit together.
          await sql`select id from staff where id = ${actor.id} for update`.execute(tx)
          const own = tx.selectFrom('saved_view').where('staff_id', '=', actor.id).where('page', '=', page)
          const { count } = await own.select(eb => eb.fn.countAll<string>().as('count')).executeTakeFirstOrThrow()
          if (Number(count) >= MAX_VIEWS)
            throw new Refused(refuse('kit/server/view:too-many-views', { max: MAX_VIEWS }))
          const { name, query, isShared } = given
          const { id } = await tx
            .insertInto('saved_view')
            .values({ page, name, query, is_shared: isShared, staff_id: actor.id, created_at: now })
            .returning('id')
            .executeTakeFirstOrThrow()
          if (isShared) await record(tx, call, { page, action: 'shareView', diff: { name: [null, name] } })
          return { id }
        },
        CONSTRAINTS,
      ),
  })
}

function changeRoute(app: App): Route {
  return route({
    method: 'PUT',
    path: '/common/view/:id',
    access: 'session',
    texts,
    params: idParams,
    body,
    answer: z.null(),
    summary: 'Renames an own view, changes what it shows, shares it or takes it back.',
    handle: (call, { params, body: given }) =>
      operate(
        app,
        call,
        async ({ tx, actor }) => {
          const before = await lockView(tx, params.id, actor)
          await requireView(tx, requirePage(app, actor, before.page), actor, given)
          const { name, query, isShared } = given
          await tx
            .updateTable('saved_view')
            .set({ name, query, is_shared: isShared })
            .where('id', '=', params.id)
            .execute()
          if (isShared !== before.is_shared) {
            const diff = { name: [before.name, name], isShared: [before.is_shared, isShared] } as const
            await record(tx, call, { page: before.page, action: 'shareView', diff })
          }
          return null
        },
        CONSTRAINTS,
      ),
  })
}

function removeRoute(app: App): Route {
  return route({
    method: 'DELETE',
    path: '/common/view/:id',
    access: 'session',
    texts,
    params: idParams,
    answer: z.null(),
    summary: 'Deletes an own view.',
    handle: (call, { params }) =>
      operate(app, call, async ({ tx, actor }) => {
        const { page, name, is_shared } = await lockView(tx, params.id, actor)
        await tx.deleteFrom('saved_view').where('id', '=', params.id).execute()
        if (is_shared) await record(tx, call, { page, action: 'shareView', diff: { name: [name, null] } })
        return null
      }),
  })
}

type Viewed = { readonly resource: Resource; readonly steps: readonly string[] }

/** The list the views are of, for whoever may see it. */
function requirePage(app: App, actor: Actor, page: string): Viewed {
  const slice = app.catalogue.slices.find(({ resource }) => resource?.screen.key === page)
  if (!slice?.resource || !can(actor, page, 'list')) throw new Refused(refuse('kit:permission-missing'), 'permission')
  return { resource: slice.resource, steps: Object.keys(slice.workflow?.steps ?? {}) }
}

type Given = z.infer<typeof body>

async function requireView(
  tx: Tx,
  { resource, steps }: Viewed,
  actor: Actor,
  { name, query, isShared }: Given,
): Promise<void> {
  const search = new URLSearchParams(query)
  if (search.size === 0) throw new Refused(refuse('kit/server/view:view-empty'))
  // By entries: a name every object has is then a parameter like any other, and refused as such.
  const asked = Object.fromEntries(
    [...new Set(search.keys())].map((key): [string, string[] | string] => {
      if (key === 'current' || key === 'size') throw badParameter(key)
      const values = search.getAll(key)
      return [key, values.length === 1 ? (values[0] as string) : values]
    }),
  )
  // As the list would: an unknown filter, and a phone number searched for, are refused there too. Whose step waits is
  // judged by whoever opens the view.
  const { todo, body, ...filters } = asked
  if (body !== undefined && !(body === 'gallery' && resource.list.gallery)) throw badParameter('body')
  if (todo !== undefined && !(typeof todo === 'string' && steps.includes(todo))) throw badValue('todo')
  readListQuery(resource, filters)
  const isPhone = (text: string) => parsePhone(text) !== undefined || /(?<!\d)1[3-9]\d{9}(?!\d)/.test(text)
  if ([name, ...search.values()].some(isPhone)) throw new Refused(refuse('kit/server/view:view-has-phone'))
  if (isShared && !(await mayShare(tx, actor, resource.screen.key)))
    throw new Refused(refuse('kit/server/view:may-not-share'), 'permission')
}

/** Decision 008: who may edit on the page, and who leads somebody. */
async function mayShare(where: Tx | App['db']['query'], actor: Actor, page: string): Promise<boolean> {
  if (can(actor, page, 'update')) return true
  const led = where.selectFrom('staff').select('id').where('manager_id', '=', actor.id).limit(1)
  return (await led.executeTakeFirst()) !== undefined
}

/** Own ones; whoever may do everything also clears up what leavers shared. */
async function lockView(tx: Tx, id: string, actor: Actor) {
  const found = await tx
    .selectFrom('saved_view')
    .select(['page', 'name', 'is_shared', 'staff_id'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!found || (found.staff_id !== actor.id && !(found.is_shared && actor.superAdmin)))
    throw new Refused(refuse('kit/server/view:view-missing'), 'not-found')
  return found
}
