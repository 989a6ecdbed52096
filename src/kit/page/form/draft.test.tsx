import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { Page as Members } from '#areas/members/member/page.tsx'
import { resource as declared, workflow as flow } from '#areas/orders/refund-application/model.ts'
import { Page as Dictionary } from '#areas/system/dictionary/page.tsx'
import { CODES } from '#kit/model/contract.ts'
import type { Resource } from '#kit/model/resource.ts'
import { answerCalls, type Calls, paged, press, refused, renderPage, type } from '../../../../tools/testing/page.tsx'
import { commonCalls, dictionaryType, refund } from '../../../../tools/testing/page-records.ts'
import { loadTexts } from '../language.ts'
import type { Row } from '../list/list-state.ts'
import { closeTabs } from '../shell/tabs/tabs.ts'
import { StepButtons, useSteps } from '../step.tsx'
import type { AnyWorkflow } from '../step-types.ts'
import { loadUser, logout, useUser } from '../user.ts'

const LIST = 'GET /api/system/dictionary'
const ADD = 'POST /api/system/dictionary'
const SAVE = 'PUT /api/system/dictionary/7'
const TAB = '/system/dictionary/list'
const RECORD = dictionaryType('7', { name: 'Pens', note: 'old', version: 4 })

/** The page as it stands after a reload: nothing is left but the address and what the browser keeps. */
async function openPage(search: string, calls: Calls = {}, path = TAB) {
  const page = await renderPage(<Dictionary />, {
    path,
    search,
    superAdmin: true,
    calls: { [LIST]: () => paged([]), 'GET /api/system/dictionary/7': () => RECORD, ...calls },
  })
  await screen.findByLabelText('Name', { selector: '.ant-drawer input' })
  return page
}
const drawer = () => document.querySelector('.ant-drawer-open') as HTMLElement
const field = (name: string) => within(drawer()).getByLabelText(name) as HTMLInputElement
const closed = () => waitFor(() => expect(drawer()).toBeNull())
const restored = () => screen.queryByText(/^Restored what you typed/)
const kept = () => Object.values({ ...sessionStorage, ...localStorage }).join()
const at = (time: string) => vi.setSystemTime(new Date(`2026-03-02T${time}:00+08:00`))
const onlyDates = () => vi.useFakeTimers({ toFake: ['Date'] })

describe('what was typed and not sent', () => {
  test('is there again after a reload, with the time it was typed at', async () => {
    onlyDates()
    at('14:32')
    await openPage('create=1')
    type(field('Name'), 'Ink colours')
    type(field('Note'), 'for the autumn courses')
    at('14:40')
    const page = await openPage('create=1')
    expect(await screen.findByText('Restored what you typed at 14:32')).toBeTruthy()
    expect([field('Name').value, field('Note').value]).toEqual(['Ink colours', 'for the autumn courses'])
    expect(page.isUnsaved()).toBe(true)
  })

  test('of an edit is there again too, and is sent with the version that was read', async () => {
    await openPage('edit=7')
    type(field('Note'), 'new')
    const page = await openPage('edit=7', { [SAVE]: () => null })
    await waitFor(() => expect(field('Note').value).toBe('new'))
    press('Save dictionary type')
    await closed()
    expect(page.sent(SAVE).map(({ body }) => body)).toEqual([{ name: 'Pens', note: 'new', items: [], version: 4 }])
  })

  test('is thrown away on request, and the form begins as it would have', async () => {
    await openPage('edit=7')
    type(field('Note'), 'new')
    const page = await openPage('edit=7')
    await waitFor(() => expect(restored()).not.toBeNull())
    press('Discard')
    await waitFor(() => expect(field('Note').value).toBe('old'))
    expect(restored()).toBeNull()
    expect(page.isUnsaved()).toBe(false)
    expect(kept()).not.toContain('new')
  })

  test('belongs to what it was typed for: another record, or one begun elsewhere, knows nothing of it', async () => {
    await openPage('create=1')
    type(field('Name'), 'Ink colours')
    await openPage('edit=7')
    expect([field('Name').value, restored()]).toEqual(['Pens', null])
    await openPage('create=1&with.code=INK')
    expect([field('Name').value, restored()]).toEqual(['', null])
  })

  test('is gone once it was sent', async () => {
    await openPage('create=1', { [ADD]: () => ({ id: '1' }) })
    type(field('Name'), 'Ink colours')
    type(field('Code'), 'INK')
    press('Create dictionary type')
    await closed()
    expect(kept()).not.toContain('Ink colours')
  })

  test('stays while it could not be sent', async () => {
    await openPage('create=1', { [ADD]: () => refused(CODES.rule, 'Refused: Not on Sundays') })
    type(field('Name'), 'Ink colours')
    type(field('Code'), 'INK')
    press('Create dictionary type')
    await screen.findByText('Not on Sundays')
    await openPage('create=1')
    await waitFor(() => expect(field('Name').value).toBe('Ink colours'))
  })

  test('is gone once somebody left the form on purpose', async () => {
    await openPage('create=1')
    type(field('Name'), 'Ink colours')
    press('Cancel')
    await waitFor(() => press('Discard'))
    await closed()
    expect(kept()).not.toContain('Ink colours')
  })

  test('is gone with the tab it was typed in, when that is closed', async () => {
    await openPage('create=1')
    type(field('Name'), 'Ink colours')
    closeTabs([TAB])
    expect(kept()).not.toContain('Ink colours')
  })

  test('is gone with the tab of its record, and turns up in no other tab', async () => {
    const own = `${TAB}/7`
    await openPage('edit=7', {}, own)
    type(field('Note'), 'for the autumn courses')
    await openPage('edit=7')
    expect([field('Note').value, restored()]).toEqual(['old', null])
    closeTabs([TAB])
    expect(kept()).toContain('for the autumn courses')
    closeTabs([own])
    expect(kept()).not.toContain('for the autumn courses')
  })

  test('is gone after a day', async () => {
    onlyDates()
    at('14:32')
    await openPage('create=1')
    type(field('Name'), 'Ink colours')
    vi.setSystemTime(new Date('2026-03-03T14:33:00+08:00'))
    await openPage('create=1')
    expect([field('Name').value, restored()]).toEqual(['', null])
    expect(kept()).not.toContain('Ink colours')
  })
})

describe('on a computer others use too', () => {
  const typeSomething = async () => {
    await openPage('create=1')
    type(field('Name'), 'Ink colours')
    expect(kept()).toContain('Ink colours')
  }

  test('signing out leaves nothing of what was typed', async () => {
    await typeSomething()
    answerCalls({ 'POST /api/logout': () => null })
    await logout()
    expect(kept()).not.toContain('Ink colours')
  })

  test('whoever signs in next neither sees it nor leaves it there', async () => {
    await typeSomething()
    const { info } = useUser.getState()
    answerCalls({ 'GET /api/auth/userInfo': () => ({ ...info, id: '2' }) })
    await loadUser()
    expect(kept()).not.toContain('Ink colours')
  })

  test('personal data is kept nowhere, neither from its fields nor where it stands in a text', async () => {
    await loadTexts('members/member')
    const open = async () => {
      await renderPage(<Members />, {
        search: 'create=1',
        superAdmin: true,
        calls: {
          ...commonCalls,
          'GET /api/members/member': () => paged([]),
          'GET /api/members/member/counts': () => null,
        },
      })
      await screen.findByLabelText('Name', { selector: '.ant-drawer input' })
    }
    await open()
    type(field('Name'), '李小墨')
    type(field('Phone'), '13800138000')
    type(field('Guardian'), '李大江')
    expect(kept()).not.toMatch(/李小墨|13800138000|李大江/)
    await openPage('create=1')
    for (const text of ['call 138 0013 8000', 'ID 11010519491231002X', 'card 6222021234567890123']) {
      type(field('Note'), text)
      type(field('Name'), 'Ink colours')
      expect(kept()).not.toContain(text)
    }
    await openPage('create=1')
    expect(await screen.findByText(/Personal data is not kept. Please enter again: Note/)).toBeTruthy()
    expect([field('Name').value, field('Note').value]).toEqual(['Ink colours', ''])
  })
})

const resource = declared as unknown as Resource
const workflow = flow as unknown as AnyWorkflow
const REJECT = 'POST /api/orders/refund-application/1/reject'

/** A refund application as it stands at some version, with its buttons. */
function Steps({ version }: { version: number }) {
  const ask = useSteps(resource, workflow, {
    done: () => {},
    refused: () => {},
    inputs: {},
    isShown: () => true,
  })
  const row = refund('1', { version, steps: { reject: null } }) as unknown as Row
  return <StepButtons resource={resource} workflow={workflow} row={row} onStep={name => ask(name, ['1'], [row])} />
}
describe('what was typed into the question before a step', () => {
  async function open(version = 1, calls: Calls = {}) {
    await renderPage(<Steps version={version} />, { calls })
    fireEvent.click(screen.getByRole('button', { name: 'Reject' }))
    const question = within(await screen.findByRole('dialog'))
    const reason = (await question.findByLabelText('Reason')) as HTMLTextAreaElement
    return { question, reason }
  }

  test('is there again when it is asked once more after a reload, and can be sent as it stands', async () => {
    type((await open()).reason, 'Paid back in cash')
    const { question, reason } = await open(1, { [REJECT]: () => null })
    await waitFor(() => expect(reason.value).toBe('Paid back in cash'))
    expect(restored()).not.toBeNull()
    const confirm = question.getByRole('button', { name: /^Reject/ }) as HTMLButtonElement
    await waitFor(() => expect(confirm.disabled).toBe(false))
    fireEvent.click(confirm)
    await waitFor(() => expect(kept()).not.toContain('Paid back in cash'))
  })

  test('is not put into a question about a record that has changed since', async () => {
    type((await open()).reason, 'Paid back in cash')
    expect([(await open(2)).reason.value, restored()]).toEqual(['', null])
  })

  test('is gone once the question was called off', async () => {
    const { question, reason } = await open()
    type(reason, 'Paid back in cash')
    fireEvent.click(question.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(kept()).not.toContain('Paid back in cash'))
    expect((await open()).reason.value).toBe('')
  })
})
