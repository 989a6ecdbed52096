import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { buy, enrol, grantOf, offer, order } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { type CoursePackage, isSameCourse, type Lesson, whyNotDays } from './model.ts'

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

  test('two courses are the same when they teach the same, in the same order', () => {
    const [first, second] = [lesson('横', 1), lesson('竖', 2)]
    expect(isSameCourse([first, second], [{ ...first }, { ...second }])).toBe(true)
    expect(isSameCourse([first, second], [first])).toBe(false)
    expect(isSameCourse([first, second], [second, first])).toBe(false)
    expect(isSameCourse([first], [{ ...first, homework: '写十遍' }])).toBe(false)
  })
})

describe('a course package', () => {
  let instance: TestInstance
  let editor: Caller

  beforeAll(async () => {
    instance = await openTestInstance()
    editor = await person(instance, {
      grants: { 'product-package': ['list', 'detail', 'create', 'update', 'delete', 'publish'] },
    })
  })

  const add = (lessons: readonly Lesson[], name = `控笔 ${randomUUID().slice(0, 8)}`) =>
    editor.post<{ id: string }>('/products/course-package', { name, stage: 'CONTROL', days: 30, lessons })
  const stored = async (id: string) => (await editor.get<CoursePackage>(`/products/course-package/${id}`)).data
  const publish = (id: string) => editor.post(`/products/course-package/${id}/publish`)
  const edit = async (id: string, change: Partial<CoursePackage>) => {
    const { name, stage, days, lessons, version } = { ...(await stored(id)), ...change }
    return editor.put(`/products/course-package/${id}`, { name, stage, days, lessons, version })
  }
  const published = async (lessons = [lesson('横', 1)]) => {
    const { data } = await add(lessons)
    await publish(data.id)
    return data.id
  }
  const course = (packageId: string) => grantOf('COURSE', 1, 1_000, { packageId, validDays: 30 })

  test('is added as a draft, with its lessons in their order', async () => {
    const lessons = [lesson('横', 1, { material: '第一课视频', homework: '写十遍' }), lesson('竖', 2)]
    const { data } = await add(lessons)
    expect(await stored(data.id)).toMatchObject({ status: 'DRAFT', edition: 0, lessonCount: 2, lessons, editions: [] })
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
    expect(await stored(data.id)).toMatchObject({ status: 'DRAFT', edition: 0, editions: [] })
  })

  test('publishing copies the lessons into an edition that names its publisher', async () => {
    const id = await published()
    expect(await stored(id)).toMatchObject({
      status: 'PUBLISHED',
      edition: 1,
      editions: [{ edition: 1, lessons: 1, pupils: 0, publishedBy: expect.stringMatching(/^Person/) }],
    })
    expect(await publish(id)).toMatchObject({ code: 4006 })
  })

  test('changed lessons wait to be published; a new name does not', async () => {
    const id = await published()
    await edit(id, { name: '控笔入门' })
    expect((await stored(id)).status).toBe('PUBLISHED')
    await edit(id, { lessons: [lesson('横', 1), lesson('竖', 2)] })
    expect(await stored(id)).toMatchObject({
      status: 'CHANGED',
      edition: 1,
      lessonCount: 2,
      editions: [{ lessons: 1 }],
    })
    await publish(id)
    expect(await stored(id)).toMatchObject({ status: 'PUBLISHED', editions: [{ lessons: 2 }, { lessons: 1 }] })
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
    expect((await stored(id)).editions.map(({ pupils }) => pupils)).toEqual([1, 2])
  })

  test('of twenty who publish at once one makes the edition', async () => {
    const { data } = await add([lesson('横', 1)])
    const answers = await Promise.all(Array.from({ length: 20 }, () => publish(data.id)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect((await stored(data.id)).editions).toHaveLength(1)
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
      expect((await stored(id)).editions).toHaveLength(1)
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
