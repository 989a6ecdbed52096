import type { App } from '#kit/server/app.ts'
import { tooLarge } from '#kit/server/http/body.ts'
import { type Routes, route } from '#kit/server/http/route.ts'
import { type Preference, preference } from './model.ts'

const PATH = '/account/preference'
const MAX_BYTES = 20_480
/** Columns of a list by screen are three levels deep; nothing sensible is deeper than this. */
const MAX_LEVELS = 8

export const routes: Routes = app => [
  route({
    method: 'GET',
    path: PATH,
    access: 'session',
    answer: preference,
    summary: "The caller's display choices.",
    handle: call => preferenceOf(app, call.actor.id),
  }),
  route({
    method: 'PUT',
    path: PATH,
    access: 'session',
    body: preference,
    answer: preference,
    summary: 'Changes the choices that are sent, each whole; null takes one back, the others stay.',
    handle: (call, { body }) => changePreference(app, call.actor.id, body),
  }),
]

export async function preferenceOf(app: App, staffId: string): Promise<Preference> {
  const { preference: kept } = await app.db.query
    .selectFrom('staff')
    .select('preference')
    .where('id', '=', staffId)
    .executeTakeFirstOrThrow()
  return kept as Preference
}

/** Key by key, so that two tabs, or a page and the notification settings, do not overwrite each other. */
export const changePreference = (
  app: App,
  staffId: string,
  change: Readonly<Record<string, unknown>>,
): Promise<Preference> =>
  app.db.write(async tx => {
    const { preference: before } = await tx
      .selectFrom('staff')
      .select('preference')
      .where('id', '=', staffId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const merged = Object.entries({ ...(before as Preference), ...change }).filter(
      ([, value]) => value !== null && value !== undefined,
    )
    const after: Preference = Object.fromEntries(merged)
    if (!fits(after)) throw tooLarge(MAX_BYTES, 'preference')
    await tx
      .updateTable('staff')
      .set({ preference: JSON.stringify(after) })
      .where('id', '=', staffId)
      .execute()
    return after
  })

const fits = (value: Preference): boolean =>
  isFlat(value, MAX_LEVELS) && Buffer.byteLength(JSON.stringify(value)) <= MAX_BYTES

const isFlat = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every(inner => isFlat(inner, levels - 1)))
