import { beforeAll, describe, expect, test } from 'vitest'
import type { Measures } from '#engines/handwriting/judge.model.ts'
import { verdictOf } from '#engines/handwriting/verdict.model.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent, sendFile } from '../../../../tools/testing/live.ts'
import { png } from '../../../../tools/testing/pictures.ts'
import { scoreOf } from './comment.model.ts'
import { drawPage, LESSONS } from './demo-pages.server.ts'
import type { Desk } from './desk.model.ts'
import { judge, NOTHING_SAID } from './desk-state.model.ts'
import { markOf, phrasesFor, type Suggestion, suggestedScores, worstOf } from './suggestion.model.ts'

const AS_MODEL: Measures = {
  ...{ dx: 0, dy: 0, size: 1, aspect: 1, tilt: 0, density: 1, overlap: 1, apart: 0 },
  strokes: [1, 1, 1],
}
const judged = (more: Partial<Measures> = {}) => {
  const measures = { ...AS_MODEL, ...more }
  return { char: '十', measures, ...verdictOf(measures) }
}

describe('what is suggested of a page', () => {
  test('is full points for a page like the model, and none where nothing was to be read', () => {
    expect(suggestedScores('HOMEWORK', [judged()])).toEqual({ strokes: 10, structure: 10, layout: 10 })
    expect(suggestedScores('HOMEWORK', [])).toBeNull()
  })

  test('takes each fault from the criterion it belongs to, and comes to the score of the character', () => {
    expect(suggestedScores('HOMEWORK', [judged({ dx: 0.1 })])).toEqual({ strokes: 10, structure: 10, layout: 4 })
    expect(suggestedScores('HOMEWORK', [judged({ tilt: 9 })])).toEqual({ strokes: 10, structure: 6, layout: 10 })
    const short = judged({ strokes: [1, 0, 1] })
    const points = suggestedScores('HOMEWORK', [short])
    expect(points).toEqual({ strokes: 0, structure: 10, layout: 10 })
    expect(scoreOf('HOMEWORK', points ?? {})).toBe(short.score)
  })

  test('gives nothing for a character that is another', () => {
    const other = judged({ overlap: 0.2, apart: 9 })
    expect(other.score).toBeNull()
    expect(suggestedScores('HOMEWORK', [other, judged()])).toEqual({ strokes: 5, structure: 5, layout: 5 })
  })

  const box = { left: 10.4, top: 20, right: 60, bottom: 70.6 }
  const found: Suggestion = {
    pages: [
      { characters: [{ char: '十', box, score: 95, reasons: [] }], fault: null },
      {
        characters: [
          { char: '土', box, score: 70, reasons: [{ code: 'too-big', value: 130 }] },
          { char: '王', box, score: null, reasons: [{ code: 'wrong-character', value: 0, like: '玉' }] },
          { char: '工', box: null, score: null, reasons: [{ code: 'missing-character', value: 0 }] },
        ],
        fault: null,
      },
    ],
    scores: { strokes: 8, structure: 8, layout: 8 },
    score: 80,
  }

  test('points at the worst first, at nothing that is well or not there, and calls it what teachers call it', () => {
    const worst = worstOf(found)
    expect(worst.map(({ char }) => char)).toEqual(['王', '土'])
    const marks = worst.map(one => markOf(one, ['SIZE']))
    expect(marks).toEqual([
      {
        picture: 1,
        shape: 'BOX',
        points: [
          [10, 20],
          [60, 71],
        ],
        fault: null,
        words: '',
      },
      {
        picture: 1,
        shape: 'BOX',
        points: [
          [10, 20],
          [60, 71],
        ],
        fault: 'SIZE',
        words: '',
      },
    ])
  })

  test('is spoken of after praise, and before what the teacher has marked; all other phrases follow', () => {
    const phrases = ['NEAT', 'TILT_1', 'SIZE_SMALL_1', 'SIZE_BIG_1', 'WRONG_1', 'GOOD_1'].map(code => ({
      code,
      words: code,
    }))
    const tilted = { ...markOf(worstOf(found, 1)[0] as never, []), fault: 'TILT' }
    const order = phrasesFor(phrases, { marks: [tilted], suggestion: found, heard: [], seed: 3 })
    expect(order.map(({ code }) => code)).toEqual([
      ...['GOOD_1', 'WRONG_1', 'SIZE_BIG_1', 'TILT_1'],
      ...['NEAT', 'SIZE_SMALL_1'],
    ])
  })

  test('that is accepted twice is drawn once, and what the teacher drew stays', () => {
    const own = { picture: 0, shape: 'PIN' as const, points: [[1, 1] as [number, number]], fault: null, words: '' }
    const marks = worstOf(found, 1).map(one => markOf(one, []))
    const accept = { do: 'accept', marks, scores: { strokes: 8 } } as const
    const once = judge(judge(NOTHING_SAID, { do: 'draw', mark: own }), accept)
    expect(once).toMatchObject({ marks: [own, ...marks], scores: { strokes: 8 }, chosen: null })
    expect(judge(once, accept)).toEqual(once)
  })
})

describe('at the desk', () => {
  let instance: TestInstance
  let teacher: Caller
  let memberId: string
  beforeAll(async () => {
    instance = await openTestInstance()
    teacher = await person(instance, { grants: { 'opus-list': ['list', 'detail', 'take'] } })
    memberId = await enrol(instance)
  })

  const PATH = '/members/work'
  let works = 0
  async function taken(bytes: Buffer, type = 'opus.submitted', more: object = {}): Promise<string> {
    works += 1
    const { data: sent } = await sendFile(instance, 'app', bytes)
    const homework = { kind: 'HOMEWORK', lesson: '横画', characters: LESSONS[0]?.[1] }
    const said = { memberId, opusId: `read-${works}`, ...(type === 'opus.submitted' ? homework : {}) }
    await sendEvent(instance, 'app', { type, data: { ...said, pictures: [sent.id], ...more } as never })
    await instance.inbox.sweep()
    const { id } = await instance.app.db.query
      .selectFrom('work')
      .select('id')
      .where('opus_id', '=', said.opusId)
      .executeTakeFirstOrThrow()
    expect(await teacher.post(`${PATH}/${id}/take`)).toMatchObject({ code: 0 })
    return id
  }
  const suggested = (id: string, by = teacher) => by.post<Suggestion>(`${PATH}/${id}/suggest`)
  const putBack = (id: string) => teacher.post(`${PATH}/${id}/let-go`, { toId: null })

  test('every character of a page is read where it stands, once, and what the teacher made of it is kept', async () => {
    const id = await taken(await drawPage(0, 7))
    const { data } = await suggested(id)
    expect(data.pages).toHaveLength(1)
    const [page] = data.pages
    expect(page?.characters.map(({ char }) => char).join('')).toBe(LESSONS[0]?.[1].repeat(4))
    expect(page?.characters.filter(({ score }) => score !== null).length).toBeGreaterThanOrEqual(20)
    expect(data.score).toBeGreaterThan(60)
    // What was measured is told with it, of whatever could be measured.
    for (const { score, figures } of page?.characters ?? []) {
      if (score === null) continue
      expect(figures?.size).toBeGreaterThan(50)
      expect(figures?.size).toBeLessThan(150)
      expect(figures?.overlap).toBeLessThanOrEqual(100)
    }
    expect((await suggested(id)).data).toEqual(data)
    const scores = { strokes: 10, structure: 10, layout: 10 }
    expect(await teacher.post(`${PATH}/${id}/comment`, { marks: [], scores, words: '' })).toMatchObject({ code: 0 })
    const { data: comments } = await teacher.get<{ score: number; suggested: number }[]>(`${PATH}/${id}/comments`)
    expect(comments).toMatchObject([{ score: 100, suggested: data.score }])
  })

  test('a page on which nothing can be read says why, and the teacher goes on without', async () => {
    const id = await taken(png(400, 400))
    expect((await suggested(id)).data).toEqual({
      pages: [{ characters: [], fault: 'unreadable' }],
      scores: null,
      score: null,
    })
    await putBack(id)
  })

  test('whoever takes the next work of the pupil is told which phrases the last comment was made of', async () => {
    const first = await taken(png(400, 400))
    const scores = { strokes: 8, structure: 8, layout: 8 }
    const words = '横平竖直，笔画扎实，继续保持！\n圈出的字请对照范字再写三遍。'
    expect(await teacher.post(`${PATH}/${first}/comment`, { marks: [], scores, words })).toMatchObject({ code: 0 })
    const next = await taken(png(400, 400))
    const heard = async () =>
      (await teacher.get<Desk>(`${PATH}/desk`)).data.held.find(({ id }) => id === next)?.heard ?? []
    expect((await heard()).toSorted()).toEqual(['AGAIN', 'STEADY'])
    await instance.app.db.read.pool.query(`update work_comment set at = at - interval '31 days' where work_id = $1`, [
      first,
    ])
    expect(await heard()).toEqual([])
    await putBack(next)
  })

  test('nobody but whoever holds the work is told, and of a posture nothing is said', async () => {
    const posture = await taken(png(400, 400), 'opus.posture-submitted', { kind: 'GRIP' })
    expect((await suggested(posture)).data).toEqual({ pages: [], scores: null, score: null })
    const colleague = await person(instance, { grants: { 'opus-list': ['list', 'detail', 'take'] } })
    expect(await suggested(posture, colleague)).toMatchObject({ code: 4006 })
    await putBack(posture)
  })
})
