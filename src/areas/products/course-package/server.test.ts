import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DraftEdition, PublishedEdition } from '#kit/model/edition.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { buy, enrol, grantOf, offer, order } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { requireTargets } from '../product/server.ts'
import { type CoursePackage, type Lesson, whyNotDays } from './model.ts'

const lesson = (title: string, day: number, more: Partial<Lesson> = {}): Lesson => ({
  title,
  day,
  material: '',
  homework: '',
  ...more,
})

describe('the days of lessons', () => {
  test.each([
    ['one on the last day', [lesson('横', 30)], undefined],
    ['two on one day', [lesson('横', 1), lesson('竖', 1)], undefined],
    ['one after the last day', [lesson('横', 1), lesson('竖', 31)], 'lesson-too-late'],
    ['one before the lesson it follows', [lesson('横', 5), lesson('竖', 4)], 'lesson-too-early'],
    ['none at all', [], undefined],
  ])('%s, in a course of 30 days', (_name, lessons, code) => {
    expect(whyNotDays(lessons, 30)?.code).toBe(code)
  })
})

describe('a course package', () => {
  let instance: TestInstance
  let editor: Caller

  beforeAll(async () => {
    instance = await openTestInstance()
    editor = await person(instance, {
      grants: {
        'product-package': ['list', 'detail', 'create', 'update', 'delete', 'publish', 'drafts', 'discard', 'restore'],
      },
    })
  })

  const add = (lessons: readonly Lesson[], name = `控笔 ${randomUUID().slice(0, 8)}`) =>
    editor.post<{ id: string }>('/products/course-package', { name, stage: 'CONTROL', days: 30, lessons })
  const stored = async (id: string) => (await editor.get<CoursePackage>(`/products/course-package/${id}`)).data
  const step = async (id: string, name: 'publish' | 'discard') =>
    editor.post(`/products/course-package/${id}/${name}`, { version: (await stored(id)).version })
  const publish = (id: string) => step(id, 'publish')
  const draftOf = async (id: string) =>
    (await editor.get<DraftEdition | null>(`/products/course-package/${id}/draft`)).data
  const editionsOf = async (id: string, who = editor) =>
    (await who.get<PublishedEdition[]>(`/products/course-package/${id}/editions`)).data
  const restore = async (id: string, edition: number, shown?: number) => {
    const current = shown ?? (await stored(id)).edition
    return editor.post(`/products/course-package/${id}/restore`, { edition, current, reason: '排错了' })
  }
  const timeline = async (id: string) =>
    (
      await editor.get<{ action: string; reason: string | null; diff: object }[]>(
        `/products/course-package/${id}/timeline`,
      )
    ).data
  const edit = async (id: string, change: Partial<CoursePackage>) => {
    const edited = (await editor.get<CoursePackage>(`/products/course-package/${id}/edited`)).data
    const { name, stage, days, lessons, version } = { ...edited, ...change }
    return editor.put(`/products/course-package/${id}`, { name, stage, days, lessons, version })
  }
  const published = async (lessons = [lesson('横', 1)]) => {
    const { data } = await add(lessons)
    await publish(data.id)
    return data.id
  }
  const course = (packageId: string) => grantOf('COURSE', 1, 1_000, { packageId, validDays: 30 })

  test('is added as a draft: what it teaches is read by those who see drafts, and by nobody else', async () => {
    const lessons = [lesson('横', 1, { material: '第一课视频', homework: '写十遍' }), lesson('竖', 2)]
    const { data } = await add(lessons)
    expect(await stored(data.id)).toMatchObject({ status: 'DRAFT', edition: 0, lessonCount: 0, lessons: [] })
    expect(await draftOf(data.id)).toMatchObject({ base: 0, body: { days: 30, lessons } })
    const reader = await person(instance, { grants: { 'product-package': ['list', 'detail'] } })
    expect((await reader.get(`/products/course-package/${data.id}/draft`)).status).toBe(403)
    expect((await reader.get<CoursePackage>(`/products/course-package/${data.id}`)).data.lessons).toEqual([])
    expect(await editionsOf(data.id, reader)).toEqual([])
    const told = await reader.get<{ action: string; diff: object }[]>(`/products/course-package/${data.id}/timeline`)
    expect(told.data).toMatchObject([{ action: 'create', diff: { days: [null, 30] } }])
    expect(JSON.stringify(told.data)).not.toContain('写十遍')
  })

  test('keeps a stage that was disabled since, and takes no disabled one anew', async () => {
    const { data } = await add([lesson('横', 1)])
    const able = (values: string[], enabled: boolean) =>
      instance.app.db.query.updateTable('dictionary_item').set({ enabled }).where('value', 'in', values).execute()
    await able(['CONTROL', 'STROKE'], false)
    expect((await edit(data.id, { name: '控笔，新名称' })).code).toBe(0)
    expect(await stored(data.id)).toMatchObject({ name: '控笔，新名称', stage: 'CONTROL' })
    const refused = { code: 4005, data: { fields: { stage: 'This option does not exist' } } }
    expect(await edit(data.id, { stage: 'STROKE' })).toMatchObject(refused)
    expect(await add([lesson('横', 1)])).toMatchObject(refused)
    expect((await edit(data.id, { stage: 'LAYOUT' })).code).toBe(0)
    // What it let go of is as new as any other.
    expect(await edit(data.id, { stage: 'CONTROL' })).toMatchObject(refused)
    await able(['CONTROL', 'STROKE'], true)
  })

  test('with a lesson after its last day is refused beside the lessons, and nothing is stored', async () => {
    const name = randomUUID()
    expect(await add([lesson('横', 31)], name)).toMatchObject({
      code: 4005,
      data: { fields: { lessons: '"横" is on day 31, but the course has only 30 days' } },
    })
    expect((await editor.get<{ total: number }>(`/products/course-package?query=${name}`)).data.total).toBe(0)
  })

  test('cannot be shortened to fewer days than its lessons need', async () => {
    const { data } = await add([lesson('横', 20)])
    expect(await edit(data.id, { days: 19 })).toMatchObject({ code: 4005 })
    expect((await stored(data.id)).days).toBe(30)
  })

  test('without lessons is not published', async () => {
    const { data } = await add([])
    expect(await publish(data.id)).toMatchObject({
      code: 4006,
      msg: 'This could not be done: There are no lessons yet: add some before publishing',
    })
    expect(await stored(data.id)).toMatchObject({
      status: 'DRAFT',
      edition: 0,
      steps: { publish: { msg: 'There are no lessons yet: add some before publishing' } },
    })
  })

  test('publishing makes the draft the record and an edition that names its publisher', async () => {
    const id = await published()
    expect(await stored(id)).toMatchObject({
      status: 'PUBLISHED',
      edition: 1,
      lessonCount: 1,
      lessons: [{ title: '横' }],
    })
    expect(await editionsOf(id)).toMatchObject([
      { edition: 1, restores: null, uses: [{ count: 0 }], publishedBy: expect.stringMatching(/^Person/) },
    ])
    expect(await draftOf(id)).toBeNull()
    expect(await publish(id)).toMatchObject({ code: 4006 })
  })

  test('what is edited waits as a draft: the record stays as it was published until the next edition', async () => {
    const id = await published()
    await edit(id, { name: '控笔入门', lessons: [lesson('横', 1), lesson('竖', 2)] })
    expect(await stored(id)).toMatchObject({
      status: 'CHANGED',
      edition: 1,
      lessonCount: 1,
      name: expect.stringMatching(/^控笔 /),
    })
    expect(await draftOf(id)).toMatchObject({ base: 1, body: { name: '控笔入门', lessons: [{}, { title: '竖' }] } })
    await publish(id)
    expect(await stored(id)).toMatchObject({ status: 'PUBLISHED', edition: 2, lessonCount: 2, name: '控笔入门' })
    expect(await timeline(id)).toMatchObject([
      { action: 'publish', diff: { name: [expect.any(String), '控笔入门'], edition: [1, 2] } },
      { action: 'saveDraft' },
      { action: 'publish' },
      { action: 'create' },
    ])
  })

  test('put back as it is published there is no draft any more', async () => {
    const id = await published()
    const { days } = await stored(id)
    await edit(id, { days: days + 1 })
    expect((await stored(id)).status).toBe('CHANGED')
    await edit(id, { days })
    expect((await stored(id)).status).toBe('PUBLISHED')
    expect(await draftOf(id)).toBeNull()
  })

  test('a lesson keeps its id through edits and moves; one that is new is given one', async () => {
    const id = await published([lesson('横', 1), lesson('竖', 2)])
    const [first, second] = (await stored(id)).lessons as [Lesson, Lesson]
    await edit(id, { lessons: [{ ...second, day: 1 }, { ...first, day: 2, title: '长横' }, lesson('撇', 3)] })
    const { lessons } = ((await draftOf(id)) as DraftEdition).body as { lessons: Lesson[] }
    expect(lessons.map(({ id: key }) => key)).toEqual([second.id, first.id, expect.any(String)])
  })

  test('a draft that was thrown away is had back by whoever did', async () => {
    const id = await published()
    await edit(id, { days: 40 })
    expect((await step(id, 'discard')).code).toBe(0)
    expect([(await stored(id)).status, await draftOf(id)]).toEqual(['PUBLISHED', null])
    expect((await editor.post(`/products/course-package/${id}/discard/undo`)).code).toBe(0)
    expect((await stored(id)).status).toBe('CHANGED')
    expect(await draftOf(id)).toMatchObject({ body: { days: 40 } })
  })

  test('restoring publishes an older edition again under a new number, and overwrites none', async () => {
    const id = await published()
    await edit(id, { days: 40 })
    await publish(id)
    expect((await restore(id, 1)).code).toBe(0)
    expect(await stored(id)).toMatchObject({ status: 'PUBLISHED', edition: 3, days: 30 })
    expect((await editionsOf(id)).map(({ edition, restores }) => [edition, restores])).toEqual([
      [3, 1],
      [2, null],
      [1, null],
    ])
    const body = await editor.get<{ days: number }>(`/products/course-package/${id}/editions/body?edition=2`)
    expect(body.data.days).toBe(40)
    expect((await timeline(id))[0]).toMatchObject({ action: 'restore', reason: '排错了', diff: { days: [40, 30] } })
  })

  test('an edition that says what is published, and one there is not, are not restored', async () => {
    const id = await published()
    expect(await restore(id, 1)).toMatchObject({ code: 4006, msg: expect.stringContaining('nothing to restore') })
    expect(await restore(id, 7)).toMatchObject({ code: 4006, msg: expect.stringContaining('no edition 7') })
    expect((await stored(id)).edition).toBe(1)
  })

  test('a draft begun before another edition was published is refused, and told what to do; saved again it goes', async () => {
    const id = await published()
    await edit(id, { days: 40 })
    await publish(id)
    await edit(id, { name: '控笔提高' })
    await restore(id, 1)
    expect((await stored(id)) as object).toMatchObject({
      steps: { publish: { msg: expect.stringContaining('edition 3 has been published since') } },
    })
    expect(await publish(id)).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('made from edition 2, and edition 3 has been published since'),
    })
    expect(await stored(id)).toMatchObject({ status: 'CHANGED', edition: 3, days: 30 })
    const { data } = await editor.get<CoursePackage & { stale: { mine: object; base: object } }>(
      `/products/course-package/${id}/edited`,
    )
    expect(data).toMatchObject({ days: 30, stale: { mine: { name: '控笔提高', days: 40 }, base: { days: 40 } } })
    await edit(id, { name: '控笔提高' })
    expect((await publish(id)).code).toBe(0)
    expect(await stored(id)).toMatchObject({ edition: 4, name: '控笔提高', days: 30 })
  })

  test('who read the record before a colleague saved a draft gets that draft with the refusal', async () => {
    const id = await published()
    const { version, name, stage, days, lessons } = await stored(id)
    await edit(id, { days: 40 })
    const late = await editor.put(`/products/course-package/${id}`, { name, stage, days: days + 5, lessons, version })
    expect(late).toMatchObject({ code: 4009, data: { current: { days: 40 } } })
    expect(await draftOf(id)).toMatchObject({ body: { days: 40 } })
  })

  test('who read the record before it was restored over a colleague’s draft gets that draft with the refusal', async () => {
    const id = await published()
    await edit(id, { days: 40 })
    await publish(id)
    const { version, name, stage, days, lessons } = await stored(id)
    await edit(id, { days: 50 })
    await restore(id, 1)
    const late = await editor.put(`/products/course-package/${id}`, {
      name: `${name}！`,
      stage,
      days,
      lessons,
      version,
    })
    expect(late).toMatchObject({
      code: 4009,
      data: { current: { days: 30, stale: { mine: { days: 50 }, base: { days: 40 } } } },
    })
    expect(await draftOf(id)).toMatchObject({ base: 2, body: { days: 50 } })
  })

  test.each(['publish', 'discard'] as const)(
    'whoever takes the step "%s" names the version that was seen: what a colleague saved since is neither published nor thrown away',
    async name => {
      const id = await published()
      await edit(id, { days: 40 })
      const { version } = await stored(id)
      await edit(id, { days: 50 })
      const take = (body: object) => editor.post(`/products/course-package/${id}/${name}`, body)
      expect([(await take({ version })).code, (await take({})).code]).toEqual([4009, 4009])
      expect(await stored(id)).toMatchObject({ status: 'CHANGED', edition: 1, days: 30 })
      expect(await draftOf(id)).toMatchObject({ body: { days: 50 } })
      expect((await step(id, name)).code).toBe(0)
    },
  )

  test('an edition is not restored over one that was published since the question was asked', async () => {
    const id = await published()
    for (const days of [40, 50]) {
      await edit(id, { days })
      await publish(id)
    }
    expect(await restore(id, 1, 2)).toMatchObject({ code: 4006, msg: expect.stringContaining('edition 3') })
    expect(await stored(id)).toMatchObject({ edition: 3, days: 50 })
    expect((await restore(id, 1, 3)).code).toBe(0)
  })

  test('publishing and restoring are rights of their own', async () => {
    const id = await published()
    const author = await person(instance, { grants: { 'product-package': ['list', 'detail', 'update', 'drafts'] } })
    expect((await author.post(`/products/course-package/${id}/publish`)).status).toBe(403)
    expect(
      (await author.post(`/products/course-package/${id}/restore`, { edition: 1, current: 1, reason: '试' })).status,
    ).toBe(403)
  })

  test('a pupil keeps the edition she began with; the next one gets the newest', async () => {
    const id = await published()
    const product = await offer(instance, [course(id)])
    const early = await enrol(instance)
    await buy(instance, early, product)
    await edit(id, { lessons: [lesson('横', 1), lesson('竖', 2)] })
    const between = await enrol(instance)
    await buy(instance, between, product)
    await publish(id)
    const late = await enrol(instance)
    await buy(instance, late, product)
    const editions = async (memberId: string) =>
      instance.app.db.query
        .selectFrom('entitlement_lot as l')
        .innerJoin('course_edition as e', 'e.id', 'l.edition_id')
        .select('e.edition')
        .where('l.member_id', '=', memberId)
        .execute()
    expect(await editions(early)).toEqual([{ edition: 1 }])
    expect(await editions(between)).toEqual([{ edition: 1 }])
    expect(await editions(late)).toEqual([{ edition: 2 }])
    const sees = async (scope: 'ALL' | 'SELF') => {
      const reader = await person(instance, {
        grants: { 'product-package': ['list', 'detail'], 'member-list': ['list'] },
        scope,
      })
      return (await editionsOf(id, reader)).map(({ uses }) => uses[0])
    }
    expect(await sees('ALL')).toMatchObject([
      { name: 'uses.pupils', count: 1, links: [{ path: `/members/list/${late}` }] },
      { count: 2 },
    ])
    // Whoever sees only his own is told of none of these.
    expect(await sees('SELF')).toMatchObject([
      { count: 0, links: [] },
      { count: 0, links: [] },
    ])
  })

  test('a product may give a course whose next edition is just being published', async () => {
    const id = await published()
    const { write } = instance.app.db
    let storing: Promise<void> | undefined
    await write(async tx => {
      await sql`select from course_package where id = ${id} for update`.execute(tx)
      await sql`update course_edition set state = 'SUPERSEDED' where package_id = ${id}`.execute(tx)
      await sql`
        insert into course_edition (package_id, state, base, body, edition, drafted_by, drafted_at, published_by, published_at)
        select package_id, 'PUBLISHED', 1, body, 2, drafted_by, drafted_at, published_by, published_at
        from course_edition where package_id = ${id}`.execute(tx)
      await sql`update course_package set edition = 2 where id = ${id}`.execute(tx)
      storing ??= write(other => requireTargets({ app: instance.app, tx: other }, [course(id)]))
      // Long enough to come upon what is held here.
      await new Promise(resolve => setTimeout(resolve, 300))
    })
    await expect(storing).resolves.toBeUndefined()
  })

  test('of twenty who publish at once one makes the edition', async () => {
    const { data } = await add([lesson('横', 1)])
    const answers = await Promise.all(Array.from({ length: 20 }, () => publish(data.id)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(await editionsOf(data.id)).toHaveLength(1)
  })

  describe('is deleted', () => {
    const remove = (id: string) => editor.remove(`/products/course-package/${id}`)

    test('with its editions, while nobody uses it', async () => {
      const id = await published()
      expect((await remove(id)).code).toBe(0)
      expect((await editor.get(`/products/course-package/${id}`)).status).toBe(404)
    })

    test('not while a product gives it: the answer and the detail name the product', async () => {
      const id = await published()
      const product = await offer(instance, [course(id)])
      expect(await remove(id)).toMatchObject({
        code: 4006,
        msg: 'This could not be done: The membership "年度会员" includes this course package: remove it there first',
      })
      expect((await stored(id)).usedBy).toEqual([{ id: product, name: '年度会员', onSale: true }])
    })

    test('not, and the list says so before anybody presses: a product gives it, or a pupil learns by it', async () => {
      const [free, sold, learnt] = [await published(), await published(), await published()]
      const product = await offer(instance, [course(learnt)])
      await buy(instance, await enrol(instance), product)
      await forgetCourse(product)
      await offer(instance, [course(sold)])
      const { data } = await editor.get<{ records: { id: string; steps: { delete: { code: string } | null } }[] }>(
        '/products/course-package?size=100',
      )
      const why = (id: string) => data.records.find(row => row.id === id)?.steps.delete?.code
      expect([free, sold, learnt].map(why)).toEqual([undefined, 'package-in-product', 'package-granted'])
    })

    test('not while an order that gives it waits for its money', async () => {
      const id = await published()
      const product = await offer(instance, [course(id)])
      const { orderNo } = await order(instance, await enrol(instance), product)
      await forgetCourse(product)
      expect(await remove(id)).toMatchObject({ code: 4006, msg: expect.stringContaining(orderNo) })
      expect((await stored(id)).edition).toBe(1)
    })

    test('not once a pupil learns by it', async () => {
      const id = await published()
      const product = await offer(instance, [course(id)])
      await buy(instance, await enrol(instance), product)
      await forgetCourse(product)
      expect(await remove(id)).toMatchObject({
        code: 4006,
        msg: 'This could not be done: Members are taking this course; it cannot be deleted',
      })
      expect(await editionsOf(id)).toHaveLength(1)
    })

    const forgetCourse = (productId: string) =>
      instance.app.db.query
        .updateTable('product')
        .set({ grants: JSON.stringify([grantOf('MEMBER_DAYS', 30)]) })
        .where('id', '=', productId)
        .execute()
  })

  test('nothing of this breaks what must always be true', async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })
})
