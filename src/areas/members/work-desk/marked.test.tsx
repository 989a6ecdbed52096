import { act, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Mark } from '#areas/members/work/comment.model.ts'
import type { CommentView, DeskWork } from '#areas/members/work/desk.model.ts'
import { loadTexts } from '#kit/page/language.ts'
import { type Calls, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { Comments } from './comments.page.tsx'
import { Desk } from './desk.page.tsx'

const [WIDTH, HEIGHT] = [800, 600]
const FAULTS = ['Shape of a stroke', 'Off balance'].map(k => ({ k, v: k, colour: null, enabled: true }))

const pin: Mark = { picture: 0, shape: 'PIN', points: [[120, 90]], fault: 'Off balance', words: '横要平' }
const BOX: Mark['points'] = [
  [300, 200],
  [420, 320],
]
const box: Mark = { picture: 1, shape: 'BOX', points: BOX, fault: 'Shape of a stroke', words: '' }
const comment: CommentView = {
  ...{ id: '1', by: '张老师', at: new Date().toISOString(), status: 'OVERTURNED', score: 60, suggested: null },
  ...{ marks: [pin, box], scores: { grip: 6 }, words: '再练一遍', voice: [] },
}
const work: DeskWork = {
  ...{ id: '5', no: 'W5', lesson: 'Lesson five', kind: 'GRIP', attempt: 1, characters: null },
  ...{ submittedAt: new Date().toISOString(), leasedUntil: new Date(Date.now() + 1_800_000).toISOString() },
  pupil: { id: '7', name: '林小满', works: 0, average: null },
  ...{ isOwnPupil: true, pictures: ['/one.jpg', '/two.jpg', '/three.jpg'], video: null, durationSeconds: null },
  ...{ before: null, comments: [], heard: [] },
}
let held: DeskWork
const calls: Calls = {
  ...commonCalls,
  'POST /api/common/attachMore': () => ({ kvList: FAULTS }),
  'POST /api/common/file/links': ({ body }) =>
    Object.fromEntries((body as { ids: string[] }).ids.map(id => [id, `/${id}.jpg`])),
  'GET /api/members/work/5/comments': () => [comment],
  'GET /api/members/work/desk': () => ({ held: [held], waiting: { mine: 0, department: 0 }, said: [] }),
}

beforeEach(async () => {
  sessionStorage.clear()
  for (const texts of ['members/work-desk', 'members/work']) await loadTexts(texts)
  vi.stubGlobal(
    'Image',
    class {
      onload: (() => void) | null = null
      naturalWidth = WIDTH
      naturalHeight = HEIGHT
      set src(_: string) {
        queueMicrotask(() => act(() => this.onload?.()))
      }
    },
  )
})
const open = (page: ReactNode) => renderPage(page, { calls, grants: { 'opus-list': ['list', 'detail', 'take'] } })
const hrefOf = (picture: Element) => picture.querySelector('image')?.getAttribute('href')

/** Both marks where they were made, each with its number, and beside them what is wrong there and what was said. */
async function expectMarked(place: HTMLElement | typeof screen): Promise<void> {
  const of = place === screen ? screen : within(place as HTMLElement)
  const first = await of.findByRole('img', { name: 'Picture 1 · 1 mark' })
  const second = await of.findByRole('img', { name: 'Picture 2 · 1 mark' })
  expect([hrefOf(first), hrefOf(second)]).toEqual(['/one.jpg', '/two.jpg'])
  const number = first.querySelector('.work-mark circle')
  expect([number?.getAttribute('cx'), number?.getAttribute('cy')]).toEqual(['120', '90'])
  expect(first.querySelector('text')?.textContent).toBe('1')
  const drawn = second.querySelector('.work-mark rect')
  expect(['x', 'y', 'width', 'height'].map(name => drawn?.getAttribute(name))).toEqual(['300', '200', '120', '120'])
  expect(second.querySelector('text')?.textContent).toBe('2')
  expect(of.getByText('Off balance · 横要平')).toBeTruthy()
  expect(of.getByText('Shape of a stroke')).toBeTruthy()
  expect(of.queryByRole('img', { name: /^Picture 3 · / })).toBeNull()
}

test('the comments of a work show each mark on its picture, with its fault and its words', async () => {
  await open(<Comments workId="5" picture={['one', 'two', 'three']} />)
  await expectMarked(screen)
})

test('the last attempt lies at the desk with what was marked on it', async () => {
  const before = { no: 'W4', submittedAt: work.submittedAt, score: 60, words: '再练一遍', marks: [pin, box] }
  held = { ...work, before: { ...before, pictures: ['/one.jpg', '/two.jpg', '/three.jpg'] } }
  await open(<Desk onLeave={() => {}} />)
  const figure = await screen.findByRole('figure')
  await expectMarked(figure)
  // What bears no mark is there as it is.
  expect(figure.querySelectorAll('img')).toHaveLength(1)
})

test('a work whose comment was overturned comes with that comment and its marks, and without what its author took back', async () => {
  held = { ...work, comments: [{ ...comment, id: '2', status: 'TAKEN_BACK', by: '李老师' }, comment] }
  await open(<Desk onLeave={() => {}} />)
  const overturned = await screen.findByRole('region', { name: 'Overturned' })
  expect(within(overturned).getByText(/张老师/)).toBeTruthy()
  await expectMarked(overturned)
  expect(screen.queryByText(/李老师/)).toBeNull()
})
