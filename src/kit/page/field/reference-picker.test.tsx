import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { type ReactElement, useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { CODES } from '#kit/model/contract.ts'
import { type Calls, held, pick, type Rendered, refused, renderPage, type } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { ReferencePicker, ReferencesPicker } from './reference-picker.tsx'

function One({ first }: { first: string }) {
  const [value, setValue] = useState(first)
  return (
    <>
      <ReferencePicker to="staff" aria-label="Owner" value={value} onChange={setValue} />
      <output>{value}</output>
    </>
  )
}

function Many({ first }: { first: string[] }) {
  const [value, setValue] = useState(first)
  return (
    <>
      <ReferencesPicker to="staff" aria-label="Owners" value={value} onChange={setValue} />
      <output>{value.join()}</output>
    </>
  )
}

const STAFF = 'GET /api/common/reference/staff'
const searches = (page: Rendered) =>
  page
    .sent(STAFF)
    .filter(({ query }) => query.ids === undefined)
    .map(({ query }) => query.query ?? '')

describe('choosing a record of another screen', () => {
  test('names what is already chosen by its label, not by its id', async () => {
    const page = await renderPage(<One first="8" />, { calls: commonCalls })
    expect(await screen.findByText('王芳')).toBeTruthy()
    expect(page.sent(STAFF).map(({ query }) => query.ids)).toContain('8')
  })

  test('says how people are found: by initials too, or by a name with the last four digits', async () => {
    const said: string[] = []
    for (const to of ['member', 'staff']) {
      await renderPage(<ReferencePicker to={to} />, {
        calls: { ...commonCalls, 'GET /api/common/reference/member': () => [] },
      })
      said.push(document.querySelector('.ant-select-placeholder')?.textContent ?? '')
      cleanup()
    }
    expect(said).toEqual(['Name, initials, phone, or name and last four digits', 'Type part of a name or its initials'])
  })

  test('where work is given away asks only for colleagues whose job it is', async () => {
    const page = await renderPage(<ReferencePicker to="staff" holding={{ page: 'member-list', action: 'own' }} />, {
      calls: commonCalls,
    })
    await vi.waitFor(() => expect(page.sent(STAFF)).toHaveLength(1))
    expect(page.sent(STAFF)[0]?.query).toMatchObject({ offered: 'true', holding: 'member-list:own' })
  })

  test('searches by what is typed, once the typing has rested for a quarter of a second', async () => {
    const page = await renderPage(<One first="" />, { calls: commonCalls })
    const box = await screen.findByLabelText('Owner')
    fireEvent.mouseDown(box)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    type(box, '赵')
    await pass(249)
    type(box, '赵强')
    await pass(249)
    expect(searches(page)).toEqual([''])
    await pass(1)
    expect(searches(page)).toEqual(['', '赵强'])
    await pass(100)
    vi.useRealTimers()
    await pick(box, '赵强')
    expect(screen.getByRole('status').textContent).toBe('9')
  })

  test('Enter chooses nobody whom the present search has not found', async () => {
    const late = held<unknown>()
    const calls: Calls = {
      ...commonCalls,
      [STAFF]: sent => (sent.query.query === '赵强' ? late.answer() : commonCalls[STAFF]?.(sent)),
    }
    const page = await renderPage(<One first="" />, { calls })
    const box = await screen.findByLabelText('Owner')
    fireEvent.mouseDown(box)
    await vi.waitFor(() => expect(document.querySelector('.ant-select-item-option')).not.toBeNull())
    const enter = () => {
      fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 })
      fireEvent.keyUp(box, { key: 'Enter', keyCode: 13 })
    }
    type(box, '赵强')
    enter()
    await vi.waitFor(() => expect(searches(page)).toContain('赵强'))
    enter()
    expect(screen.getByRole('status').textContent).toBe('')
    late.give([{ id: '9', name: '赵强', note: null, tone: null }])
    await vi.waitFor(() => expect(document.querySelector('.ant-select-item-option-active')).not.toBeNull())
    enter()
    expect(screen.getByRole('status').textContent).toBe('9')
  })

  test('finds people by phone, or by a name with the last four digits, by a call that keeps both out of the address', async () => {
    const FIND = 'POST /api/common/reference/staff/find-by-phone'
    const found = [{ id: '12', name: '林小满', note: '138****8000', tone: null }]
    const page = await renderPage(<One first="" />, { calls: { ...commonCalls, [FIND]: () => found } })
    const box = await screen.findByLabelText('Owner')
    fireEvent.mouseDown(box)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    type(box, '8000 林')
    await pass(799)
    type(box, '8000 林小')
    await pass(799)
    expect(page.sent(FIND)).toEqual([])
    await pass(1)
    await pass(100)
    vi.useRealTimers()
    expect(page.sent(FIND).map(({ body }) => body)).toEqual([{ phone: '8000 林小', offered: 'true' }])
    expect(searches(page)).toEqual([''])
    await pick(box, '林小满')
    expect(screen.getByRole('status').textContent).toBe('12')
  })

  test('says when nothing is found, or why nothing may be, and shows nothing that was not', async () => {
    const FIND = 'POST /api/common/reference/staff/find-by-phone'
    const calls: Calls = {
      ...commonCalls,
      [STAFF]: ({ query }) => (query.ids ? [{ id: '8', name: '王芳', note: null, tone: null }] : []),
      [FIND]: () => refused(CODES.rule, 'Not done: The member belongs to another team; ask 周主管'),
    }
    await renderPage(<One first="8" />, { calls })
    await screen.findByText('王芳')
    const box = screen.getByLabelText('Owner')
    fireEvent.mouseDown(box)
    type(box, '赵钱孙')
    expect(await screen.findByText('Nothing found for “赵钱孙”')).toBeTruthy()
    expect(document.querySelectorAll('.ant-select-item-option')).toHaveLength(0)
    type(box, '13800138000')
    expect(await screen.findByText('The member belongs to another team; ask 周主管')).toBeTruthy()
  })

  test('is offered what a form may take; a filter finds the rest too', async () => {
    const asked = async (what: ReactElement) =>
      (await renderPage(what, { calls: commonCalls })).sent(STAFF).map(({ query }) => query.offered)
    expect(await asked(<One first="" />)).toEqual(['true'])
    expect(await asked(<Many first={[]} />)).toEqual([undefined])
  })

  test('can be taken back', async () => {
    await renderPage(<One first="8" />, { calls: commonCalls })
    await screen.findByText('王芳')
    fireEvent.click(screen.getByRole('button', { name: 'Clear' }))
    expect(screen.getByRole('status').textContent).toBe('')
  })

  test('takes several where several are asked for', async () => {
    await renderPage(<Many first={['8']} />, { calls: commonCalls })
    await pick(screen.getByLabelText('Owners'), '赵强')
    expect(screen.getByRole('status').textContent).toBe('8,9')
  })
})
