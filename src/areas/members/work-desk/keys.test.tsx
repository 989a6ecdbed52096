import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { DeskWork } from '#areas/members/work/desk.model.ts'
import { loadTexts } from '#kit/page/language.ts'
import { usePageKeys } from '#kit/page/page-keys.ts'
import { type Calls, type Rendered, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { Desk } from './desk.page.tsx'

const COMMENT = 'POST /api/members/work/5/comment'
const SEND_BACK = 'POST /api/members/work/5/send-back'
const LET_GO = 'POST /api/members/work/5/let-go'
const TAKE_BACK = 'POST /api/members/work/4/take-back'
const TAKE = 'POST /api/members/work/take-next'

const work = (id: string): DeskWork => ({
  ...{ id, no: `W${id}`, lesson: `Lesson ${id}`, kind: 'HOMEWORK', attempt: 1, characters: null },
  ...{ submittedAt: new Date().toISOString(), leasedUntil: new Date(Date.now() + 1_800_000).toISOString() },
  pupil: { id: '7', name: '林小满', works: 0, average: null },
  ...{ isOwnPupil: true, pictures: [], video: null, durationSeconds: null, before: null, comments: [], heard: [] },
})
const said = { id: '4', no: 'W4', lesson: 'Lesson 4', score: 80, until: new Date(Date.now() + 60_000).toISOString() }

let held: DeskWork[]
const desk = () => ({ held: [...held], waiting: { mine: 0, department: 9 }, said: [said] })
const leave = () => {
  held = held.filter(({ id }) => id !== '5')
  return desk()
}
const calls: Calls = {
  ...commonCalls,
  'POST /api/common/attachMore': () => ({ kvList: [] }),
  'GET /api/common/reference/staff': () => [{ id: '3', name: '李老师', note: null, tone: null }],
  'GET /api/members/work/desk': desk,
  ...Object.fromEntries([COMMENT, SEND_BACK, LET_GO].map(call => [call, leave])),
  [TAKE]: desk,
  [TAKE_BACK]() {
    held = [work('4'), ...held]
    return { said: { marks: [], scores: { strokes: 8 }, words: '横要平', voice: [] }, desk: { ...desk(), said: [] } }
  },
}

beforeEach(() => {
  sessionStorage.clear()
  held = [work('5')]
})
async function open(): Promise<Rendered> {
  for (const texts of ['members/work-desk', 'members/work']) await loadTexts(texts)
  const page = await renderPage(<Desk onLeave={() => {}} />, { calls, grants: { 'opus-list': ['list', 'take'] } })
  await screen.findByRole('button', { name: /^Send comment/ })
  return page
}
const press = (...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(window, { key })
}
const words = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Comment' })
const total = (score: number) => screen.queryByText(`Total ${score}`) !== null

describe('what else is done with a work has its key', () => {
  test('D sends it back: the reason is typed at once, and Ctrl+Enter there sends that alone', async () => {
    const page = await open()
    press('8', '8', '8', 'd')
    const reason = await screen.findByRole('textbox', { name: 'Sent back because' })
    expect(document.activeElement === reason).toBe(true)
    // Without a reason nothing is sent, and what is typed are no keys.
    for (const key of ['l', '9', 'n']) fireEvent.keyDown(reason, { key })
    fireEvent.keyDown(reason, { key: 'Enter', ctrlKey: true })
    fireEvent.change(reason, { target: { value: '太暗' } })
    fireEvent.keyDown(reason, { key: 'Enter', ctrlKey: true })
    await waitFor(() => expect(page.sent(SEND_BACK)).toHaveLength(1))
    expect(page.sent(SEND_BACK)[0]?.body).toEqual({ reason: '太暗' })
    for (const call of [COMMENT, LET_GO]) expect(page.sent(call)).toEqual([])
  })

  test('Escape leaves the question, and the work stays', async () => {
    const page = await open()
    press('d')
    fireEvent.keyDown(await screen.findByRole('textbox', { name: 'Sent back because' }), { key: 'Escape' })
    expect(document.activeElement).toBe(document.body)
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Sent back because' })).toBeNull())
    expect(page.sent(SEND_BACK)).toEqual([])
  })

  test('K asks which colleague goes on with it', async () => {
    const page = await open()
    press('k')
    const colleague = await screen.findByRole('combobox', { name: 'Hand over' })
    expect(document.activeElement === colleague).toBe(true)
    fireEvent.mouseDown(colleague)
    fireEvent.click(await screen.findByText('李老师'))
    fireEvent.keyDown(colleague, { key: 'Enter', ctrlKey: true })
    await waitFor(() => expect(page.sent(LET_GO)[0]?.body).toEqual({ toId: '3' }))
  })

  test('L puts it back at once, unless that would throw away what was said', async () => {
    const page = await open()
    press('8', 'l')
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect([page.sent(LET_GO).length, page.isUnsaved()]).toEqual([0, true])
    press('Backspace', 'l')
    await waitFor(() => expect(page.sent(LET_GO)[0]?.body).toEqual({ toId: null }))
  })

  test('Z takes back what was just said, and it is in sight again', async () => {
    await open()
    press('z')
    await waitFor(() => expect(words().value).toBe('横要平'))
    press(']')
    await waitFor(() => expect(words().value).toBe(''))
    press('[')
    await waitFor(() => expect(words().value).toBe('横要平'))
  })
})

describe('keys', () => {
  test('give points, take the last ones back and give them again', async () => {
    await open()
    press('8', '9', '7')
    expect(total(82)).toBe(true)
    press('Backspace', 'Backspace')
    expect(total(82)).toBe(false)
    press('8', '7')
    expect(total(78)).toBe(true)
  })

  test('lead to the comment and away from it, and mean nothing of their own while it is written', async () => {
    const page = await open()
    press('f')
    expect(document.activeElement).toBe(words())
    for (const key of ['8', 'n', 's', 'd', 'z']) fireEvent.keyDown(words(), { key })
    fireEvent.keyDown(words(), { key: 'Escape' })
    expect(document.activeElement).not.toBe(words())
    expect(page.isUnsaved()).toBe(false)
    expect(page.sent().filter(({ name }) => [TAKE, TAKE_BACK].includes(name))).toEqual([])
    press('8', '8', '8')
    expect(total(80)).toBe(true)
  })

  test('do once what they do, however long they are held down', async () => {
    const page = await open()
    press('8')
    for (let times = 0; times < 5; times += 1) fireEvent.keyDown(window, { key: '8', repeat: true })
    expect(total(80)).toBe(false)
    for (let times = 0; times < 5; times += 1) fireEvent.keyDown(window, { key: 'n', repeat: true })
    expect(page.sent(TAKE)).toEqual([])
  })

  test('go on working for whoever chose a tool by mouse', async () => {
    await open()
    const [tool] = screen.getAllByRole('radio')
    fireEvent.click(tool as HTMLElement)
    for (const key of ['8', '8', '8']) fireEvent.keyDown(tool as HTMLElement, { key })
    expect(total(80)).toBe(true)
  })

  test('are told by the help sheet, all of them, for as long as the desk is shown', async () => {
    const page = await open()
    const told = usePageKeys.getState().told
    expect(told?.title).toBe('Works desk')
    const keys = told?.keys.flatMap(({ keys }) => keys) ?? []
    for (const key of ['N', 'D', 'K', 'L', 'Z', 'A', 'F', 'S', 'C', 'V', 'B', 'G', 'Q – O', 'Ctrl Enter'])
      expect(keys).toContain(key)
    expect(new Set(told?.keys.map(({ text }) => text)).size).toBe(told?.keys.length)
    page.show(<p>elsewhere</p>)
    expect(usePageKeys.getState().told).toBeNull()
  })
})
