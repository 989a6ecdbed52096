import { useQueryClient } from '@tanstack/react-query'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { DeskWork } from '#areas/members/work/desk.model.ts'
import { CODES } from '#kit/model/contract.ts'
import { loadTexts } from '#kit/page/language.ts'
import { type Calls, refused, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { Desk } from './desk.page.tsx'

const TAKE = 'POST /api/members/work/take-next'

let leases = 0
const work = (id: string): DeskWork => ({
  ...{ id, no: `W${id}`, lesson: `Lesson ${id}`, kind: 'GRIP', attempt: 1, characters: null },
  submittedAt: new Date().toISOString(),
  leasedUntil: new Date(Date.now() + 1_800_000 + ++leases).toISOString(),
  pupil: { id: '7', name: '林小满', works: 0, average: null },
  ...{ isOwnPupil: true, pictures: [`/${id}.jpg`], video: null, durationSeconds: null },
  ...{ before: null, comments: [], heard: [] },
})

let queue: string[]
let held: DeskWork[]
const desk = () => ({ held: [...held], waiting: { mine: 0, department: queue.length }, said: [] })
const leave = (id: string) => () => {
  held = held.filter(one => one.id !== id)
  return desk()
}
const take = () => {
  held = [...held, ...queue.splice(0, 1).map(work)]
  return desk()
}
const calls: Calls = {
  ...commonCalls,
  'POST /api/common/attachMore': () => ({ kvList: [] }),
  'GET /api/members/work/desk': desk,
  [TAKE]: take,
  ...Object.fromEntries(
    ['1', '2', '3'].flatMap(id => [
      [`POST /api/members/work/${id}/comment`, leave(id)],
      [`POST /api/members/work/${id}/send-back`, leave(id)],
      [`POST /api/members/work/${id}/let-go`, leave(id)],
    ]),
  ),
}

/** What pictures were asked for, in order. */
let asked: string[]
beforeEach(async () => {
  sessionStorage.clear()
  ;[queue, held, asked] = [['1', '2', '3'], [], []]
  for (const texts of ['members/work-desk', 'members/work']) await loadTexts(texts)
  vi.stubGlobal(
    'Image',
    class {
      onload: (() => void) | null = null
      naturalWidth = 800
      naturalHeight = 600
      set src(url: string) {
        asked.push(url)
        queueMicrotask(() => act(() => this.onload?.()))
      }
    },
  )
})
function ComeBack() {
  const client = useQueryClient()
  return (
    <button type="button" onClick={() => void client.invalidateQueries()}>
      Come back
    </button>
  )
}
const open = (more: Calls = {}) => {
  const page = (
    <>
      <Desk onLeave={() => {}} />
      <ComeBack />
    </>
  )
  return renderPage(page, { calls: { ...calls, ...more }, grants: { 'opus-list': ['list', 'take'] } })
}
const inSight = async (id: string) =>
  expect(await screen.findByRole('complementary', { name: `林小满 · Lesson ${id}` }))
const begin = async (more?: Calls) => {
  const page = await open(more)
  await screen.findByText('Works are waiting. Press N to take the next.')
  fireEvent.keyDown(window, { key: 'n' })
  await inSight('1')
  return page
}
const send = () => {
  fireEvent.keyDown(window, { key: '8' })
  fireEvent.keyDown(window, { key: 'Enter', ctrlKey: true })
}

describe('the next work', () => {
  test('is on the desk with the first, its picture before anything is said, and another comes with each that is sent', async () => {
    const page = await begin()
    await waitFor(() => expect(asked).toContain('/2.jpg'))
    expect(page.sent(TAKE)).toHaveLength(2)
    expect(page.sent('POST /api/members/work/1/comment')).toHaveLength(0)
    send()
    await inSight('2')
    await waitFor(() => expect(asked).toContain('/3.jpg'))
    expect(page.sent(TAKE)).toHaveLength(3)
    expect(held.map(({ id }) => id)).toEqual(['2', '3'])
  })

  test('comes with one that is sent back as well', async () => {
    await begin()
    await waitFor(() => expect(asked).toContain('/2.jpg'))
    fireEvent.click(screen.getByRole('button', { name: /^Send back/ }))
    fireEvent.change(await screen.findByRole('textbox', { name: 'Sent back because' }), { target: { value: '太暗' } })
    fireEvent.click(screen.getByRole('button', { name: 'Send back' }))
    await waitFor(() => expect(asked).toContain('/3.jpg'))
  })

  test('does not come for one that was put back: a desk can be emptied, and stays empty', async () => {
    const page = await begin()
    await waitFor(() => expect(held).toHaveLength(2))
    // Why no third can be taken is told where it would be.
    const next = screen.getByRole<HTMLButtonElement>('button', { name: /^Take the next/ })
    await waitFor(() => expect(next.disabled).toBe(true))
    fireEvent.pointerEnter(next)
    expect(await screen.findByText('At most 2 at a time')).toBeTruthy()
    for (const id of ['1', '2']) {
      await inSight(id)
      fireEvent.click(screen.getByRole('button', { name: /^Put back/ }))
    }
    await screen.findByText('Works are waiting. Press N to take the next.')
    expect([page.sent(TAKE).length, held]).toEqual([2, []])
  })

  test('that does not come is told to nobody, and holds no comment up', async () => {
    let taken = 0
    const isRefused = () => refused(CODES.rule, 'you have 2 works on your desk; finish one first')
    const page = await begin({ [TAKE]: () => (++taken === 1 ? take() : isRefused()) })
    await waitFor(() => expect(page.sent(TAKE)).toHaveLength(2))
    send()
    await screen.findByText('Works are waiting. Press N to take the next.')
    expect(screen.queryByText(/finish one first/)).toBeNull()
  })

  test('never takes the place of the one somebody is at, also when that is held for longer', async () => {
    const page = await begin()
    await waitFor(() => expect(held).toHaveLength(2))
    const [first, second] = held as [DeskWork, DeskWork]
    // Renewed, so that it ends later than the other.
    held = [second, { ...first, leasedUntil: new Date(Date.now() + 3_600_000).toISOString() }]
    fireEvent.keyDown(window, { key: '8' })
    fireEvent.change(screen.getByRole('textbox', { name: 'Comment' }), { target: { value: '写得好' } })
    // What happens by itself whenever somebody comes back to the page.
    fireEvent.click(screen.getByRole('button', { name: 'Come back' }))
    await waitFor(() => expect(page.sent('GET /api/members/work/desk')).toHaveLength(2))
    await screen.findByText('Lesson 2', { exact: false, selector: 'label:first-child *' })
    await inSight('1')
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Comment' }).value).toBe('写得好')
  })
})
