import { sql } from 'kysely'
import { newestEdition } from '#engines/entitlement/holder.server.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { answer, ask, defineQuestion } from '#kit/server/change/question.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { type CoursePackage, isSameCourse, type Lesson, resource, whyNotDays, workflow } from './model.ts'

export const routes = serve(resource, {
  workflow,
  async store(op, input, before, write) {
    const wrong = whyNotDays(input.lessons, input.days)
    if (wrong) throw onField('lessons', wrong)
    const id = await write({ ...input, status: await nextStatus(op, input, before) })
    await op.tx
      .updateTable('course_package')
      .set({ lessons: JSON.stringify(input.lessons) })
      .where('id', '=', id)
      .execute()
    return id
  },
  detail: async (app, { id }) => ({
    lessons: await lessonsOf(app.db.query, id),
    usedBy: await productsWith(app.db.query, id),
    editions: await editionsOf(app, id),
  }),
  effects: { publish },
  remove: (op, { id }) => requireUnused(op, id),
  constraints: { entitlement_lot_edition_id_fkey: { code: 'package-granted' } },
})

/** A published course that would now be taught differently has something to publish again. */
async function nextStatus(
  op: Operation,
  input: Pick<CoursePackage, 'days' | 'lessons'>,
  before: CoursePackage | undefined,
): Promise<CoursePackage['status']> {
  if (!before) return 'DRAFT'
  if (before.status !== 'PUBLISHED') return before.status
  const isSame = before.days === input.days && isSameCourse(await lessonsOf(op.tx, before.id), input.lessons)
  return isSame ? 'PUBLISHED' : 'CHANGED'
}

/** The lessons as they stand become the next edition; whoever begins from now on learns by it. */
async function publish({ tx, actor, now }: Operation, row: CoursePackage): Promise<Partial<CoursePackage>> {
  const edition = row.edition + 1
  await sql`
    insert into course_edition (package_id, edition, lessons, published_by, published_at)
    select id, ${edition}, lessons, ${actor.id}, ${now} from course_package where id = ${row.id}`.execute(tx)
  return { edition }
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

async function editionsOf({ db }: App, id: string): Promise<CoursePackage['editions']> {
  const { rows } = await sql<CoursePackage['editions'][number]>`
    select e.edition, jsonb_array_length(e.lessons) as lessons, s.name as "publishedBy", e.published_at as "publishedAt",
      (select count(distinct l.member_id)::int from entitlement_lot l where l.edition_id = e.id) as pupils
    from course_edition e join staff s on s.id = e.published_by
    where e.package_id = ${id} order by e.edition desc`.execute(db.query)
  return rows
}

const newestEditionOf = async (tx: Tx, packageId: string): Promise<string | undefined> => {
  const newest = await tx
    .selectFrom('course_edition')
    .select('id')
    .where('package_id', '=', packageId)
    .orderBy('edition', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.id
}

export const answers = [answer(newestEdition, (_app, { tx, packageId }) => newestEditionOf(tx, packageId))]

export const invariants: readonly Invariant[] = [
  {
    name: 'a course package counts its editions, and is a draft before the first',
    query: `
      select p.id, p.edition, count(e.id) as stored from course_package p left join course_edition e on e.package_id = p.id
      group by p.id having p.edition <> count(e.id) or p.edition <> coalesce(max(e.edition), 0) or (p.edition = 0) <> (p.status = 'DRAFT')`,
  },
  {
    name: 'a published course package teaches what its newest edition says',
    query: `
      select p.id from course_package p join course_edition e on e.package_id = p.id and e.edition = p.edition
      where p.status = 'PUBLISHED' and p.lessons <> e.lessons`,
  },
  {
    name: 'the courses that products give are published',
    query: `
      select p.id, g ->> 'packageId' as package_id from product p, jsonb_array_elements(p.grants) g
      where g ->> 'packageId' is not null
        and not exists (select from course_edition e where e.package_id = (g ->> 'packageId')::bigint)`,
  },
]
