import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { newestEdition } from '#engines/entitlement/holder.server.ts'
import type { Actor } from '#kit/model/actor.ts'
import type { Use } from '#kit/model/edition.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { answer, ask, defineQuestion } from '#kit/server/change/question.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import type { Tx } from '#kit/server/database/database.ts'
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
  remove: (op, { id }) => requireUnused(op, id),
  constraints: { entitlement_lot_edition_id_fkey: { code: 'package-granted' } },
})
export const { routes } = served

/** Who learns by these editions, by the id of each: as far as this person sees members. */
export const pupilsOf = defineQuestion<
  { editionIds: readonly string[]; actor: Actor },
  ReadonlyMap<string, readonly Use[]>
>('course-pupils-of-editions')

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

/** What is sold, printed or ordered and gives this course could not give it any more. */
async function requireUnused({ app, tx }: Operation, id: string): Promise<void> {
  // A product that is just being stored holds its editions: it is waited for, and then found.
  await tx.selectFrom('course_edition').select('id').where('package_id', '=', id).forUpdate().execute()
  const [product] = await productsWith(tx, id)
  if (product) throw new Refused(refuse('package-in-product', { product: product.name }))
  const batch = await tx.selectFrom('code_batch').select('name').where(gives(id)).executeTakeFirst()
  if (batch) throw new Refused(refuse('package-in-batch', { batch: batch.name }))
  const order = await ask(app, unpaidOrderGiving, { tx, packageId: id })
  if (order !== undefined) throw new Refused(refuse('package-in-order', { order }))
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
