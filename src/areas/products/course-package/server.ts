import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { newestEdition } from '#engines/entitlement/holder.server.ts'
import type { Use } from '#kit/model/edition.ts'
import { onField, type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { answer, ask, defineQuestion } from '#kit/server/change/question.ts'
import type { Queries, Reading } from '#kit/server/change/rules.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { Asked } from '#kit/server/list/holders.ts'
import { serveEditions } from '#kit/server/serve/serve-editions.ts'
import { type CoursePackage, type Drafted, type Lesson, resource, whyNotDays, whyNotLearn, workflow } from './model.ts'

const served = serveEditions(resource, workflow, {
  async complete(_op, body) {
    const wrong = whyNotDays(body.lessons, body.days)
    if (wrong) throw onField('lessons', wrong)
    return { ...body, lessons: body.lessons.map(lesson => ({ ...lesson, id: lesson.id ?? randomUUID() })) }
  },
  unready: ({ lessons }) => whyNotLearn(lessons.length),
  facts: draftedLessons,
  detail: async (app, { id }) => ({
    lessons: await lessonsOf(app.db.query, id),
    usedBy: await productsWith(app.db.query, id),
  }),
  uses: (app, asked) => ask(app, pupilsOf, asked),
  kept,
  remove: (op, { id }) => requireUnused(op, id),
  constraints: { entitlement_lot_edition_id_fkey: { code: 'package-granted' } },
})
export const { routes } = served

/** Who learns by these editions, by the id of each: as far as whoever asks may see it. */
export const pupilsOf = defineQuestion<Asked, ReadonlyMap<string, readonly Use[]>>('course-pupils-of-editions')

/** How many lessons wait in the drafts of these packages. */
async function draftedLessons(db: Reading, rows: readonly CoursePackage[]): Promise<Map<string, Drafted>> {
  const drafts = await db
    .selectFrom('course_edition')
    .select(['package_id', sql<number>`jsonb_array_length(body -> 'lessons')`.as('lessons')])
    .where(
      'package_id',
      'in',
      rows.map(({ id }) => id),
    )
    .where('state', '=', 'DRAFT')
    .execute()
  return new Map(drafts.map(({ package_id, lessons }) => [package_id, { lessons }]))
}

/** The number of an order that will give this course once it is paid, if there is one. */
export const unpaidOrderGiving = defineQuestion<{ tx: Tx; packageId: string }, string | undefined>(
  'course-unpaid-order-giving',
)

/** What is sold, printed or ordered and gives this course could not give it any more. A product that is just being stored holds the course: it was waited for. */
async function requireUnused({ app, tx }: Operation, id: string): Promise<void> {
  const used = (await kept(tx, [{ id }])).get(id)
  if (used) throw new Refused(used)
  const order = await ask(app, unpaidOrderGiving, { tx, packageId: id })
  if (order !== undefined) throw new Refused(refuse('package-in-order', { order }))
}

/** Why these packages stay: who sells them, prints codes for them or learns by them. */
async function kept(db: Queries, rows: readonly Pick<CoursePackage, 'id'>[]): Promise<Map<string, Refusal>> {
  const giving = sql`grants @> jsonb_build_array(jsonb_build_object('packageId', c.id::text))`
  const found = await sql<{ id: string; product: string | null; batch: string | null; isLearnt: boolean }>`
    select c.id, (select name from product where ${giving} order by id limit 1) as product,
      (select name from code_batch where ${giving} order by id limit 1) as batch,
      exists (select from course_edition e join entitlement_lot l on l.edition_id = e.id where e.package_id = c.id) as "isLearnt"
    from course_package c where c.id = any(${rows.map(({ id }) => id)}::bigint[])`.execute(db)
  return new Map(
    found.rows.flatMap(({ id, ...by }): [string, Refusal][] => {
      const why = whyKept(by)
      return why ? [[id, why]] : []
    }),
  )
}

function whyKept(by: { product: string | null; batch: string | null; isLearnt: boolean }): Refusal | undefined {
  if (by.product !== null) return refuse('package-in-product', { product: by.product })
  if (by.batch !== null) return refuse('package-in-batch', { batch: by.batch })
  if (by.isLearnt) return refuse('package-granted')
}

async function lessonsOf(db: Reading, id: string): Promise<Lesson[]> {
  const { lessons } = await db
    .selectFrom('course_package')
    .select('lessons')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return lessons as Lesson[]
}

/** That the grants of a row give this course. */
export const gives = (id: string) => sql<boolean>`grants @> ${JSON.stringify([{ packageId: id }])}::jsonb`

const productsWith = async (db: Reading, id: string) =>
  (await db.selectFrom('product').select(['id', 'name', 'status']).where(gives(id)).orderBy('id').execute()).map(
    ({ status, ...product }) => ({ ...product, onSale: status === 'ON_SALE' }),
  )

const newestEditionOf = async (tx: Tx, packageId: string): Promise<string | undefined> => {
  const newest = await tx
    .selectFrom('course_edition')
    .select('id')
    .where('package_id', '=', packageId)
    .where('state', '=', 'PUBLISHED')
    .executeTakeFirst()
  return newest?.id
}

export const answers = [answer(newestEdition, (_app, { tx, packageId }) => newestEditionOf(tx, packageId))]

export const invariants: readonly Invariant[] = [
  ...served.invariants,
  {
    name: 'the courses that products give are published',
    query: `
      select p.id, g ->> 'packageId' as package_id from product p, jsonb_array_elements(p.grants) g
      where g ->> 'packageId' is not null
        and not exists (select from course_edition e where e.package_id = (g ->> 'packageId')::bigint and e.state = 'PUBLISHED')`,
  },
]
