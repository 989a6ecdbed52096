import { useQueryClient } from '@tanstack/react-query'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { DeskWork } from '#areas/members/work/desk.model.ts'
import { CODES } from '#kit/model/contract.ts'
import { loadTexts } from '#kit/page/language.ts'
import { type Calls, renderPage } from '../../../../tools/testing/page.tsx'
import { Desk } from './desk.page.tsx'

const WORDS = 'Hold the brush a little higher'
const RAN_OUT = /^Your time with it ran out/
const UNSENT = /^You commented on a work that is no longer on your desk/

const work = (id: string, lesson: string): DeskWork => ({
  ...{ id, no: `W${id}`, lesson, kind: 'GRIP', attempt: 1, characters: null },
  ...{ submittedAt: new Date().toISOString(), leasedUntil: new Date(Date.now() + 1_800_000).toISOString() },
  pupil: { id: '7', name: '林小满', works: 0, average: null },
  ...{ isOwnPupil: true, pictures: [], video: null, durationSeconds: null, before: null, comments: [], heard: [] },
})

let held: DeskWork[]
let isAtAnothers: boolean
beforeEach(() => {
  sessionStorage.clear()
  held = [work('5', 'Lesson five')]
  isAtAnothers = false
})
const desk = () => ({ held: [...held], waiting: { mine: 0, department: 0 }, said: [] })
const refused = () => Response.json({ code: CODES.rule, msg: 'Somebody else is at it', data: null })
const calls: Calls = {
  'GET /api/members/work/desk': desk,
  'POST /api/common/attachMore': () => ({}),
  'POST /api/members/work/5/comment': refused,
  'POST /api/members/work/5/take-again'() {
    if (isAtAnothers) return refused()
    held = [work('5', 'Lesson five'), ...held]
    return desk()
  },
}

/** What happens by itself whenever somebody comes back to the page. */
function ComeBack() {
  const client = useQueryClient()
  return (
    <button type="button" onClick={() => void client.invalidateQueries()}>
      Come back
    </button>
  )
}
async function open() {
  for (const texts of ['members/work-desk', 'members/work']) await loadTexts(texts)
  const page = (
    <>
      <Desk onLeave={() => {}} />
      <ComeBack />
    </>
  )
  return renderPage(page, { calls, grants: { 'opus-list': ['list', 'take'] } })
}
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const words = async () => (await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Comment' })).value
const write = async () =>
  fireEvent.change(await screen.findByRole('textbox', { name: 'Comment' }), { target: { value: WORDS } })
/** Nobody renewed it, and somebody else may have been given it. */
async function lose() {
  held = held.filter(({ id }) => id !== '5')
  press('Come back')
}

describe('what somebody has written of a work and not sent', () => {
  test('stays in sight when its time ran out meanwhile, and goes on once the work is taken again', async () => {
    const page = await open()
    await write()
    await lose()
    await screen.findByText(RAN_OUT)
    expect(await words()).toBe(WORDS)
    press('Take again')
    await waitFor(() => expect(screen.queryByText(RAN_OUT)).toBeNull())
    expect(await words()).toBe(WORDS)
    expect(page.isUnsaved()).toBe(true)
  })

  test('stays in sight when it is refused because the time has just run out', async () => {
    await open()
    await write()
    fireEvent.keyDown(window, { key: '8' })
    held = []
    press('Send comment · 80 points')
    await screen.findByText(RAN_OUT)
    expect(await words()).toBe(WORDS)
  })

  test('does not hold up the other work on the desk, and can be come back to', async () => {
    held = [work('5', 'Lesson five'), work('6', 'Lesson six')]
    await open()
    await write()
    await lose()
    await screen.findByText(RAN_OUT)
    fireEvent.click(screen.getByText(/Lesson six$/))
    expect(await words()).toBe('')
    await screen.findByText(UNSENT)
    expect(screen.getByText(WORDS)).toBeTruthy()
    press('Take again')
    await waitFor(() => expect(screen.queryByText(UNSENT)).toBeNull())
    fireEvent.click(screen.getByText(/Lesson five$/))
    await waitFor(async () => expect(await words()).toBe(WORDS))
  })

  test('is told after a reload too, can be read while somebody else is at the work, and goes when it is discarded', async () => {
    await open()
    await write()
    ;[held, isAtAnothers] = [[], true]
    await open()
    await screen.findByText(UNSENT)
    press('Take again')
    await screen.findByText(/Somebody else is at it/)
    expect(screen.getByText(WORDS)).toBeTruthy()
    press('Discard')
    fireEvent.click((await screen.findAllByRole('button', { name: 'Discard' })).at(-1) as HTMLElement)
    await waitFor(() => expect(screen.queryByText(UNSENT)).toBeNull())
    await open()
    await screen.findByText('No work is waiting')
    expect(screen.queryByText(UNSENT)).toBeNull()
  })
})
