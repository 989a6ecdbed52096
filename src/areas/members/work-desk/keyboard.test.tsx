import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { DeskWork } from '#areas/members/work/desk.model.ts'
import { loadTexts } from '#kit/page/language.ts'
import { type Calls, type Rendered, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { Desk } from './desk.page.tsx'

const [WIDTH, HEIGHT] = [800, 600]
const COMMENT = 'POST /api/members/work/5/comment'
const FAULTS = ['Shape of a stroke', 'Off balance'].map(k => ({ k, v: k, colour: null, enabled: true }))

const work: DeskWork = {
  ...{ id: '5', no: 'W5', lesson: 'Lesson five', kind: 'GRIP', attempt: 1, characters: null },
  ...{ submittedAt: new Date().toISOString(), leasedUntil: new Date(Date.now() + 1_800_000).toISOString() },
  pupil: { id: '7', name: '林小满', works: 0, average: null },
  ...{ isOwnPupil: true, pictures: ['/one.jpg', '/two.jpg'], video: null, durationSeconds: null },
  ...{ before: null, comments: [], heard: [] },
}
const desk = (held: readonly DeskWork[]) => ({ held, waiting: { mine: 0, department: 0 }, said: [] })
let isReached: boolean
const calls: Calls = {
  ...commonCalls,
  'POST /api/common/attachMore': () => ({ kvList: FAULTS }),
  'GET /api/members/work/desk': () => desk([work]),
  [COMMENT]: () => (isReached ? desk([]) : Promise.reject(new TypeError('Failed to fetch'))),
}

beforeEach(() => {
  sessionStorage.clear()
  isReached = true
  // Pictures are there at once, as large as they are.
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

async function open(): Promise<Rendered> {
  for (const texts of ['members/work-desk', 'members/work']) await loadTexts(texts)
  const page = await renderPage(<Desk onLeave={() => {}} />, { calls, grants: { 'opus-list': ['list', 'take'] } })
  await screen.findByRole('img', { name: 'Picture 1' })
  return page
}
const picture = (number = 1) => screen.getByRole('img', { name: `Picture ${number}` })
const press = (...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(window, { key })
}
const times = (count: number, key: string) => press(...Array.from({ length: count }, () => key))
const pins = () =>
  [...picture().querySelectorAll('.work-mark circle')].map(pin => [pin.getAttribute('cx'), pin.getAttribute('cy')])
const cursor = () => picture().querySelector('.work-cursor path')?.getAttribute('d')

describe('the picture by keyboard', () => {
  test('grows and shrinks with + and -, and stays within its bounds', async () => {
    await open()
    expect(picture().style.width).toBe('100%')
    press('+')
    expect(picture().style.width).toBe('150%')
    times(9, '+')
    expect(picture().style.width).toBe('400%')
    times(9, '-')
    expect(picture().style.width).toBe('100%')
  })

  test('is turned with V, a quarter each time', async () => {
    await open()
    const seen = () => [picture().getAttribute('viewBox'), picture().querySelector('g')?.getAttribute('transform')]
    expect(seen()).toEqual([`0 0 ${WIDTH} ${HEIGHT}`, ''])
    press('v')
    expect(seen()).toEqual([`0 0 ${HEIGHT} ${WIDTH}`, `translate(${HEIGHT} 0) rotate(90)`])
    times(3, 'v')
    expect(seen()).toEqual([`0 0 ${WIDTH} ${HEIGHT}`, ''])
  })

  test('makes room for the next one with P, and comes back after the last', async () => {
    await open()
    press('p')
    await screen.findByRole('img', { name: 'Picture 2' })
    expect(picture(2).querySelector('image')?.getAttribute('href')).toBe('/two.jpg')
    // Where the keyboard points at is a place on one picture.
    press('ArrowUp')
    expect(picture(2).querySelector('.work-cursor')).toBeTruthy()
    press('p')
    await screen.findByRole('img', { name: 'Picture 1' })
    expect(cursor()).toBeUndefined()
    expect(picture(1).querySelector('image')?.getAttribute('href')).toBe('/one.jpg')
  })
})

describe('marks by keyboard', () => {
  test('are set where arrows have led the cursor, and blamed with the next digit', async () => {
    const page = await open()
    expect(cursor()).toBeUndefined()
    press('ArrowRight')
    expect(cursor()).toContain(`M${WIDTH / 2 - 24} ${HEIGHT / 2}`)
    times(5, 'ArrowRight')
    fireEvent.keyDown(window, { key: 'ArrowDown', shiftKey: true })
    press('Enter', '2')
    expect(pins()).toEqual([[String(WIDTH / 2 + 40), String(HEIGHT / 2 + 64)]])
    expect(await screen.findByText('2 Off balance')).toBeTruthy()
    press('Escape')
    expect(cursor()).toBeUndefined()
    press('Enter')
    expect(pins()).toHaveLength(1)
    expect(page.isUnsaved()).toBe(true)
  })

  test.each([
    ['a pin', ['ArrowUp', 'Enter']],
    ['a box', ['j', 'ArrowUp', 'Enter', 'ArrowRight', 'Enter']],
    ['a line', ['h', 'ArrowUp', 'Enter', 'ArrowRight', 'Enter']],
  ])('take words where Enter is pressed again: %s', async (_, drawing) => {
    const page = await open()
    press(...drawing, 'Enter')
    const words = screen.getByRole('textbox', { name: 'What mark 1 says' })
    expect(document.activeElement).toBe(words)
    fireEvent.change(words, { target: { value: '横要平' } })
    fireEvent.keyDown(words, { key: 'Enter' })
    expect(document.activeElement).not.toBe(words)
    // The next digit gives points again, and Enter draws once the cursor was led on.
    press('8', 'ArrowRight', 'ArrowRight')
    expect(screen.getByText('Total 80')).toBeTruthy()
    expect(picture().querySelectorAll('.work-mark')).toHaveLength(1)
    fireEvent.keyDown(window, { key: 'Enter', ctrlKey: true })
    await waitFor(() => expect(page.sent(COMMENT)).toHaveLength(1))
    expect(page.sent(COMMENT)[0]?.body).toMatchObject({ marks: [{ words: '横要平' }], scores: { grip: 8 } })
  })

  test('take words whose characters are chosen by Enter, as Chinese is typed', async () => {
    await open()
    press('ArrowUp', 'Enter', 'Enter')
    const words = screen.getByRole('textbox', { name: 'What mark 1 says' })
    fireEvent.keyDown(words, { key: 'Enter', isComposing: true })
    expect(document.activeElement).toBe(words)
    fireEvent.keyDown(words, { key: 'Enter' })
    expect(document.activeElement).not.toBe(words)
  })

  test('are chosen one after the other, on whichever picture they are, to be blamed, written of or taken away', async () => {
    await open()
    press('ArrowUp', 'Enter', '1', 'p')
    await screen.findByRole('img', { name: 'Picture 2' })
    press('ArrowUp', 'Enter', '1', ',')
    const isMeant = (number: number) =>
      screen.getByRole('button', { name: `Mark ${number}` }).closest('li')?.className === 'work-marks-chosen'
    expect(isMeant(2)).toBe(true)
    press(',')
    expect(isMeant(1)).toBe(true)
    await screen.findByRole('img', { name: 'Picture 1' })
    press('2')
    expect(screen.getAllByText('2 Off balance')).toHaveLength(1)
    press('.', '.')
    await screen.findByRole('img', { name: 'Picture 2' })
    press('Enter')
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'What mark 2 says' }))
    fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' })
    press(',', 'Delete')
    expect(screen.queryByRole('button', { name: 'Mark 2' })).toBeNull()
    expect(screen.getByText('2 Off balance')).toBeTruthy()
  })

  test('are boxes from where Enter was pressed first to where it was pressed then', async () => {
    await open()
    press('j', 'ArrowUp', 'Enter')
    times(10, 'ArrowRight')
    times(5, 'ArrowDown')
    const box = () => {
      const drawn = picture().querySelector('.work-mark rect')
      return ['x', 'y', 'width', 'height'].map(name => Number(drawn?.getAttribute(name)))
    }
    // It is seen while it grows.
    expect(box()).toEqual([WIDTH / 2, HEIGHT / 2, 80, 40])
    press('Enter')
    expect(box()).toEqual([WIDTH / 2, HEIGHT / 2, 80, 40])
    expect(picture().querySelectorAll('.work-mark')).toHaveLength(1)
  })

  test('go the way that is seen where the picture was turned', async () => {
    await open()
    press('v', 'ArrowUp')
    times(3, 'ArrowRight')
    press('Enter')
    // Turned to the right, the right of the page is its top.
    expect(pins()).toEqual([[String(WIDTH / 2), String(HEIGHT / 2 - 24)]])
  })

  test('are not set while something is typed, nor where Enter presses a button', async () => {
    await open()
    press('ArrowUp')
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'Comment' }), { key: 'Enter' })
    fireEvent.keyDown(screen.getByRole('button', { name: /^Compare/ }), { key: 'Enter' })
    expect(pins()).toEqual([])
  })
})

describe('a desk whose network is gone', () => {
  test('keeps what was said and sends the same comment once it is back, under the same key', async () => {
    const page = await open()
    press('ArrowUp', 'Enter', '1', '8')
    fireEvent.change(screen.getByRole('textbox', { name: 'Comment' }), { target: { value: '笔再抬高一点' } })
    isReached = false
    fireEvent.keyDown(window, { key: 'Enter', ctrlKey: true })
    await waitFor(() => expect(page.sent(COMMENT)).toHaveLength(1))
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Send comment · 80 points' }).className).not.toContain('loading'),
    )
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Comment' }).value).toBe('笔再抬高一点')
    expect(pins()).toHaveLength(1)
    expect(page.isUnsaved()).toBe(true)
    isReached = true
    fireEvent.keyDown(window, { key: 'Enter', ctrlKey: true })
    await screen.findByText('No work is waiting')
    const [first, second] = page.sent(COMMENT)
    expect(second?.body).toEqual(first?.body)
    expect(second?.headers).toEqual(first?.headers)
    expect(page.isUnsaved()).toBe(false)
  })
})
