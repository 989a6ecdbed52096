import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { atOnce, type DeclaredJob } from '#kit/server/work/job.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { handIn } from '../../../../tools/testing/works.ts'
import { jobs } from './commenting.server.ts'
import type { SecondLooks } from './second-look.model.ts'
import { isSampled } from './second-look.server.ts'

const PATH = '/members/work'
const LOOKS = `${PATH}/second-looks`
const GOOD = { marks: [], scores: { strokes: 8, structure: 8, layout: 8 }, words: '写得好' }

describe('which comments are looked at a second time', () => {
  const chosen = (percent: number, stride = 1) =>
    Array.from({ length: 1_000 }, (_, nth) => String(5_000 + nth * stride)).filter(id => isSampled(id, percent))

  test('are none of a teacher whose share is 0, and all of one whose share is 100', () => {
    expect(chosen(0)).toHaveLength(0)
    expect(chosen(100)).toHaveLength(1_000)
  })

  test.each([1, 2, 100])(
    'are about a hundred of a thousand at 10 %%, whichever works a teacher gets (every %ith)',
    stride => {
      expect(chosen(10, stride).length).toBeGreaterThanOrEqual(70)
      expect(chosen(10, stride).length).toBeLessThanOrEqual(130)
    },
  )

  test('are the same whenever it is asked, and stay chosen where the share grows', () => {
    expect(chosen(10)).toEqual(chosen(10))
    expect(chosen(30)).toEqual(expect.arrayContaining(chosen(10)))
  })
})

describe('the share of second looks of a teacher', () => {
  const clock = stoppedClock(new Date('2026-03-10T10:00:00+08:00'))
  let instance: TestInstance
  let head: Caller
  let [teacher, colleague]: Caller[] = []
  beforeAll(async () => {
    instance = await openTestInstance({ clock })
    head = await person(instance, { grants: { 'opus-list': ['list', 'detail', 'passReview', 'setShare', 'overturn'] } })
    teacher = await person(instance, { grants: { 'opus-list': ['list', 'detail', 'take'] } })
    colleague = await person(instance, { grants: { 'video-opus': ['list', 'detail', 'take'] } })
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const put = (by: Caller, of: Caller, share: number | null, before: number | null = null) =>
    by.put<SecondLooks>(`${LOOKS}/${of.id}`, { share, before })
  const looks = async (by = head) => (await by.get<SecondLooks>(LOOKS)).data
  const of = async (who: Caller) => (await looks()).teachers.find(({ id }) => id === who.id)
  /** Commented, and known to the pupil. */
  const said = async () => say(teacher as Caller, await handIn(instance, await enrol(instance)))
  async function say(by: Caller, id: string): Promise<string> {
    const { app } = instance
    expect(await by.post(`${PATH}/${id}/take`)).toMatchObject({ code: 0 })
    expect(await by.post(`${PATH}/${id}/comment`, GOOD)).toMatchObject({ code: 0 })
    clock.forward(130_000)
    for (const job of jobs as readonly DeclaredJob[])
      await app.db.write(tx => atOnce(job)(ownChange(app, tx, clock.now(), 'test')))
    const found = app.db.query.selectFrom('work').select('review').where('id', '=', id)
    return (await found.executeTakeFirstOrThrow()).review
  }

  test('is as for everybody until somebody sets it, and is taken back by leaving it empty', async () => {
    const all = await looks()
    expect(all).toMatchObject({ usual: 5, days: 30 })
    // Who comments on films is a teacher too; who looks at comments is none.
    expect(all.teachers.map(({ id }) => id).sort()).toEqual([teacher?.id, colleague?.id].sort())
    expect(await of(teacher as Caller)).toMatchObject({ share: null, commented: 0 })
    expect(await put(head, teacher as Caller, 40)).toMatchObject({ code: 0 })
    expect(await of(teacher as Caller)).toMatchObject({ share: 40 })
    expect(await of(colleague as Caller)).toMatchObject({ share: null })
    expect(await put(head, teacher as Caller, null, 40)).toMatchObject({ code: 0 })
    expect(await of(teacher as Caller)).toMatchObject({ share: null })
  })

  test('decides about the comments from then on: all at 100, none at 0', async () => {
    await put(head, teacher as Caller, 100)
    expect([await said(), await said(), await said()]).toEqual(['DUE', 'DUE', 'DUE'])
    await put(head, teacher as Caller, 0, 100)
    expect([await said(), await said(), await said()]).toEqual(['NONE', 'NONE', 'NONE'])
    expect(await of(teacher as Caller)).toMatchObject({ share: 0, commented: 6, due: 3, passed: 0, overturned: 0 })
  })

  test('is written down with who set it, and of two who set it at once the second is told', async () => {
    expect((await put(head, teacher as Caller, 50, 20)).code).not.toBe(0)
    expect(await of(teacher as Caller)).toMatchObject({ share: 0 })
    expect(await put(head, teacher as Caller, 50, 0)).toMatchObject({ code: 0 })
    const line = await instance.app.db.query
      .selectFrom('operation_log')
      .select(['actor_id', 'diff'])
      .where('action', '=', 'setShare')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(line).toEqual({ actor_id: head.id, diff: { share: [0, 50] } })
  })

  test('is not for teachers to set or to see, for nobody to set about themselves, and not for another department', async () => {
    expect((await put(teacher as Caller, colleague as Caller, 0)).code).not.toBe(0)
    expect((await (teacher as Caller).get(LOOKS)).code).not.toBe(0)
    const looker = await person(instance, { grants: { 'opus-list': ['list', 'passReview'] } })
    expect((await looks(looker)).teachers).toHaveLength(2)
    expect((await put(looker, teacher as Caller, 0, 50)).code).not.toBe(0)
    const both = await person(instance, { grants: { 'opus-list': ['list', 'take', 'passReview', 'setShare'] } })
    expect((await put(both, both, 0)).msg).toContain('for a colleague to set')
    const narrow = await person(instance, {
      grants: { 'opus-list': ['list', 'passReview', 'setShare'] },
      scope: 'SELF',
    })
    expect((await looks(narrow)).teachers).toEqual([])
    expect((await put(narrow, teacher as Caller, 0, 50)).code).not.toBe(0)
    expect(await of(teacher as Caller)).toMatchObject({ share: 50 })
  })

  test('tells of what was overturned where it was said, and not of a second look passed by whoever said it anew', async () => {
    const other = await person(instance, { grants: { 'opus-list': ['list', 'detail', 'take'] } })
    await put(head, teacher as Caller, 100, 50)
    const before = await of(teacher as Caller)
    expect(await said()).toBe('DUE')
    const newest = instance.app.db.query.selectFrom('work').select('id').orderBy('id', 'desc').limit(1)
    const { id } = await newest.executeTakeFirstOrThrow()
    expect(await head.post(`${PATH}/${id}/overturn`, { reason: '看错了' })).toMatchObject({ code: 0 })
    const overturned = { commented: Number(before?.commented) + 1, due: before?.due, passed: 0, overturned: 1 }
    expect(await of(teacher as Caller)).toMatchObject(overturned)
    expect(await say(other, id)).toBe('PASSED')
    expect(await of(teacher as Caller)).toMatchObject(overturned)
    expect(await of(other)).toMatchObject({ commented: 1, due: 0, passed: 0, overturned: 0 })
  })
})
