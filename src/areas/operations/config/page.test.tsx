import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { type Calls, paged, renderPage, type } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import type { ShownSetting } from './model.ts'
import { Page } from './page.tsx'

const ROUTE = '/api/operations/config'
const READ = ['list', 'detail']

const DAYS: ShownSetting = {
  ...{ key: 'stray.returnDays', name: 'Days until return', help: 'Then it goes back.', unit: 'days', money: false },
  ...{ min: 1, max: 365, default: 7, value: 10, proposal: null },
  change: { id: '4', by: 'Wang Fang', decidedBy: null, at: '2026-03-01T06:03:00Z', reason: 'holidays' },
}
const SUM: ShownSetting = {
  ...{ key: 'refund.l2Fen', name: 'Refund total', help: 'Above it, finance decides.', unit: 'fen', money: true },
  ...{ min: 0, max: 1_000_000, default: 100_000, value: 100_000, change: null, proposal: null },
}
const SWITCH: ShownSetting = {
  ...{ key: 'xhsOrder.push', name: 'Listen to the shop', help: 'Compare first.', unit: 'switch', money: true },
  ...{ min: 0, max: 1, default: 0, value: 0, change: null, proposal: null },
}
const label = (name: string) => ({ id: '1', name, note: null, tone: null })
const replaced = {
  ...{ id: '3', key: DAYS.key, name: 'x', before: 7, value: 9, unit: 'days', status: 'REPLACED', reason: 'a try' },
  ...{ applicantId: '8', decidedBy: null, basedOn: null, version: 2, steps: {}, waiting: null },
  ...{ createdAt: '2026-02-01T06:03:00Z', inForceAt: '2026-02-01T06:03:00Z' },
  labels: {
    name: label('Days until return'),
    before: label('7 days'),
    value: label('9 days'),
    applicantId: label('Li Lei'),
  },
}

const callsFor = (settings: readonly ShownSetting[], more: Calls = {}): Calls => ({
  ...commonCalls,
  [`GET ${ROUTE}/settings`]: () => [{ group: 'g', title: 'Money', settings }],
  [`GET ${ROUTE}`]: () => paged([replaced]),
  [`GET ${ROUTE}/counts`]: () => ({}),
  [`GET ${ROUTE}/7`]: () => replaced,
  [`GET ${ROUTE}/7/timeline`]: () => [],
  ...more,
})

async function open(settings: readonly ShownSetting[], actions: readonly string[], more: Calls = {}, search = '') {
  await loadTexts('operations/config')
  const page = await renderPage(<Page />, {
    path: '/operate/config',
    search,
    grants: { 'operate-config': actions },
    calls: callsFor(settings, more),
  })
  await screen.findByText(settings[0]?.name ?? '')
  return page
}
const ESCAPE = { key: 'Escape', code: 'Escape', keyCode: 27 }
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
/** The question, over whatever else is open. */
const asked = async () => within((await screen.findAllByRole('dialog')).at(-1) as HTMLElement)

describe('the settings page', () => {
  test('shows each setting with its sentence, what is in force, its default, and who changed it why', async () => {
    await open([DAYS, SUM], READ)
    const row = screen.getByText('Days until return').closest('li') as HTMLElement
    expect(row.textContent).toMatch(/Then it goes back\.Default 7 days · changed by Wang Fang ·.*· holidays10 days/)
    const other = screen.getByText('Refund total').closest('li') as HTMLElement
    expect(other.textContent).toMatch(/Two people.*Default ¥1,000\.00 · never changed¥1,000\.00/)
  })

  test('offers no change to whoever may only look', async () => {
    await open([DAYS, SUM], READ)
    expect(screen.queryByRole('button', { name: /Change|Propose/ })).toBeNull()
  })

  test('takes a new value with its reason, on what was seen in force', async () => {
    const page = await open([DAYS], [...READ, 'create'], { [`POST ${ROUTE}`]: () => ({ id: '9' }) })
    press('Change · Days until return')
    const form = await asked()
    await type(form.getByLabelText('New value'), '12')
    await type(form.getByLabelText('Reason'), 'spring')
    fireEvent.click(await form.findByRole('button', { name: 'Change to 12 days' }))
    await waitFor(() => expect(page.sent(`POST ${ROUTE}`)).toHaveLength(1))
    expect(page.sent(`POST ${ROUTE}`)[0]?.body).toEqual({ key: DAYS.key, value: 12, reason: 'spring', basedOn: '4' })
    await screen.findByText(/In effect: Days until return is now 12 days/)
  })

  test('says beside the field what does not fit, before anything is sent', async () => {
    const page = await open([DAYS], [...READ, 'create'])
    press('Change · Days until return')
    const form = await asked()
    await type(form.getByLabelText('New value'), '400')
    fireEvent.click(form.getByRole('button', { name: 'Submit' }))
    await form.findByText('Please enter: Reason')
    expect(form.getByText('Enter a value from 1 day to 365 days')).toBeTruthy()
    expect(form.queryByText('From 1 day to 365 days')).toBeNull()
    expect(page.sent(`POST ${ROUTE}`)).toHaveLength(0)
  })

  test('asks for a second person where money hangs on it, and money is typed in yuan', async () => {
    const page = await open([SUM], [...READ, 'create'], { [`POST ${ROUTE}`]: () => ({ id: '9' }) })
    press('Propose change · Refund total')
    const form = await asked()
    expect(form.getByText(/once another authorised colleague confirms it/)).toBeTruthy()
    await type(form.getByLabelText('New value'), '1500')
    await type(form.getByLabelText('Reason'), 'prices rose')
    fireEvent.click(await form.findByRole('button', { name: 'Propose ¥1,500.00' }))
    await waitFor(() => expect(page.sent(`POST ${ROUTE}`)).toHaveLength(1))
    expect(page.sent(`POST ${ROUTE}`)[0]?.body).toMatchObject({ value: 150_000, basedOn: null })
  })

  test('switches on or off what is one or the other, in words', async () => {
    const page = await open([SWITCH], [...READ, 'create'], { [`POST ${ROUTE}`]: () => ({ id: '9' }) })
    expect(screen.getByText('Listen to the shop').closest('li')?.textContent).toContain(
      'Default Off · never changedOff',
    )
    press('Propose change · Listen to the shop')
    const form = await asked()
    expect(form.queryByText(/From/)).toBeNull()
    fireEvent.click(form.getByRole('radio', { name: 'On' }))
    await type(form.getByLabelText('Reason'), 'compared')
    fireEvent.click(await form.findByRole('button', { name: 'Propose On' }))
    await waitFor(() => expect(page.sent(`POST ${ROUTE}`)).toHaveLength(1))
    expect(page.sent(`POST ${ROUTE}`)[0]?.body).toMatchObject({ key: 'xhsOrder.push', value: 1 })
  })

  test('puts what the server found wrong beside its field, and keeps what was typed', async () => {
    const refused = () =>
      new Response(
        JSON.stringify({ code: 4005, msg: 'Please check: x', data: { fields: { value: 'still waiting' } } }),
        {
          status: 422,
          headers: { 'content-type': 'application/json' },
        },
      )
    await open([SUM], [...READ, 'create'], { [`POST ${ROUTE}`]: refused })
    press('Propose change · Refund total')
    const form = await asked()
    await type(form.getByLabelText('New value'), '1500')
    await type(form.getByLabelText('Reason'), 'prices rose')
    fireEvent.click(await form.findByRole('button', { name: 'Propose ¥1,500.00' }))
    await form.findByText('still waiting')
    expect((form.getByLabelText('Reason') as HTMLTextAreaElement).value).toBe('prices rose')
  })

  test('shows what is proposed, leads to it, and takes no second proposal meanwhile', async () => {
    const proposal = { id: '7', value: 150_000, by: 'Zhao Qiang', at: '2026-03-01T06:03:00Z', mayConfirm: true }
    const page = await open([{ ...SUM, proposal }], [...READ, 'create'])
    expect(screen.getByText(/Zhao Qiang proposes ¥1,500\.00/)).toBeTruthy()
    expect((screen.getByRole('button', { name: 'Propose change · Refund total' }) as HTMLButtonElement).disabled).toBe(
      true,
    )
    expect(screen.getByText('Changes (1 to check)')).toBeTruthy()
    press('View')
    expect(page.address()).toBe('view=changes&open=7')
  })

  test('counts what this person may decide, and no proposal of their own', async () => {
    const proposal = { id: '7', value: 150_000, by: 'Me', at: '2026-03-01T06:03:00Z', mayConfirm: false }
    await open([{ ...SUM, proposal }], [...READ, 'create'])
    expect(screen.getByText('Changes')).toBeTruthy()
  })

  test('asks before it throws away what was typed, and closes at once where nothing was', async () => {
    await open([DAYS], [...READ, 'create'])
    press('Change · Days until return')
    fireEvent.click((await asked()).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByLabelText('New value')).toBeNull())
    press('Change · Days until return')
    await type((await asked()).getByLabelText('New value'), '12')
    fireEvent.keyDown(screen.getByLabelText('New value'), ESCAPE)
    expect(await screen.findByRole('button', { name: 'Keep editing' })).toBeTruthy()
    expect((screen.getByLabelText('New value') as HTMLInputElement).value).toBe('12')
    press('Discard')
    await waitFor(() => expect(screen.queryByLabelText('New value')).toBeNull())
  })

  test('tells what a setting has been, and enters an old value again with the reason said for it', async () => {
    await open([DAYS], [...READ, 'create'])
    press('History · Days until return')
    const told = await screen.findByText('a try')
    expect(told.closest('.config-told')?.textContent).toMatch(/7 days → 9 days ReplacedLi Lei/)
    press('Restore this value')
    const form = await asked()
    await form.findByRole('button', { name: 'Change to 9 days' })
    expect((form.getByLabelText('Reason') as HTMLTextAreaElement).value).toMatch(
      /^Restores the value in effect from 2026/,
    )
  })

  test('tells of each change what its setting is for, in the words the setting has, and leaves its key out', async () => {
    await loadTexts('operations/config')
    await renderPage(<Page />, {
      path: '/operate/config',
      search: 'view=changes&open=7',
      grants: { 'operate-config': READ },
      calls: callsFor([DAYS], { [`GET ${ROUTE}/7`]: () => ({ ...replaced, id: '7' }) }),
    })
    const drawer = within(await screen.findByRole('dialog'))
    await drawer.findByText('Then it goes back.')
    expect(drawer.queryByText(DAYS.key)).toBeNull()
  })

  test('opens with the changes where the address asks for some, and stays with them', async () => {
    await loadTexts('operations/config')
    const page = await renderPage(<Page />, {
      path: '/operate/config',
      search: 'todo=confirm',
      grants: { 'operate-config': [...READ, 'confirm', 'create'] },
      calls: callsFor([SUM], { [`GET ${ROUTE}/to-do`]: () => [] }),
    })
    await screen.findByText('9 days')
    await waitFor(() => expect(page.address()).toBe('todo=confirm&view=changes'))
    expect(page.sent(`GET ${ROUTE}`)[0]?.query).not.toHaveProperty('view')
    // A change is entered where its setting stands.
    expect(screen.queryByRole('button', { name: /^Add/ })).toBeNull()
  })
})
