import { resource as member } from '#areas/members/member/model.ts'
import { type Actor, can } from '#kit/model/actor.ts'
import { addDays, dayOf, startOfDay } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { openList } from '#kit/server/list/list.ts'
import { readListQuery } from '#kit/server/list/list-query.ts'
import { isOwn, quietMembers, renewals, type Search } from './measures.server.ts'
import { CARED, type Care } from './model.ts'

/** Whom somebody who cares for members of his own sees to today; nothing for whoever has none, or those of a department. */
export async function careFor(app: App, actor: Actor, now: Date): Promise<Care[] | null> {
  if (!can(actor, member.screen.key, 'list') || !isOwn(actor, member)) return null
  const today = dayOf(now)
  return Promise.all([
    followUpsDue(app, actor, startOfDay(addDays(today, 1))),
    named(app, actor, 'ending', { ...renewals(today), sort: 'membershipEndsOn:asc' }, 'membershipEndsOn'),
    named(app, actor, 'quiet', { ...quietMembers(today), sort: 'lastWorkAt:asc' }, 'lastWorkAt'),
  ])
}

async function named(
  app: App,
  actor: Actor,
  kind: Care['kind'],
  search: Search,
  field: 'membershipEndsOn' | 'lastWorkAt',
): Promise<Care> {
  const list = openList(member, app.catalogue, app.db, app.counts)
  const { rows, total } = await list.page({ ...readListQuery(member, search), size: CARED }, actor)
  return {
    kind,
    count: total,
    path: `${member.screen.route}?${new URLSearchParams(search)}`,
    members: rows.map(row => ({
      ...nameOf(actor, String(row.id), String(row.name)),
      at: String(row[field]),
      said: null,
    })),
  }
}

/** What the person meant to do by the end of today and nobody has done: a later word with the member is the one that counts. */
async function followUpsDue(app: App, actor: Actor, before: Date): Promise<Care> {
  const list = openList(member, app.catalogue, app.db, app.counts)
  const due = app.db.query
    .selectFrom('follow_up as f')
    .innerJoin('member as m', 'm.id', 'f.member_id')
    .where('f.staff_id', '=', actor.id)
    .where('f.next_at', '<', before.toISOString())
    // Whom somebody else looks after by now is no longer this person's to call.
    .where(({ eb, or }) => or([eb('m.owner_id', '=', actor.id), eb('m.teacher_id', '=', actor.id)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('follow_up as later')
            .select('later.id')
            .whereRef('later.member_id', '=', 'f.member_id')
            .whereRef('later.id', '>', 'f.id'),
        ),
      ),
    )
  const [rows, { count }] = await Promise.all([
    due.select(['m.id', 'f.next_at as at', 'f.content']).orderBy('f.next_at').orderBy('f.id').limit(CARED).execute(),
    due.select(({ fn }) => fn.countAll<string>().as('count')).executeTakeFirstOrThrow(),
  ])
  return {
    kind: 'followUps',
    count: Number(count),
    path: null,
    members: (
      await Promise.all(
        rows.map(async ({ id, at, content }) => {
          // By the list, as everything people read of a member.
          const row = await list.one(id, actor)
          const due = at === null ? null : new Date(at).toISOString()
          return row ? [{ ...nameOf(actor, id, String(row.name)), at: due, said: content }] : []
        }),
      )
    ).flat(),
  }
}

const nameOf = (actor: Actor, id: string, name: string) => ({
  id,
  name,
  path: can(actor, member.screen.key, 'detail') ? `${member.screen.route}?open=${id}` : null,
})
