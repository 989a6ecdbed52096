import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { Page as Members } from '#areas/members/member/page.tsx'
import { Page } from '#areas/system/dictionary/page.tsx'
import { CODES } from '#kit/model/contract.ts'
import {
  type Answer,
  button,
  inTurn,
  paged,
  press,
  refused,
  renderPage,
  type,
} from '../../../../tools/testing/page.tsx'
import { commonCalls, dictionaryType } from '../../../../tools/testing/page-records.ts'
import { loadTexts } from '../language.ts'

const SAVE = 'PUT /api/system/dictionary/7'
const READ = dictionaryType('7', { name: 'Pens', note: 'old', version: 4 })
const ENTRY = { label: 'Red', value: 'RED', colour: null, enabled: true }
const NEWEST = { ...READ, name: 'Brushes', note: 'old', items: [ENTRY], version: 6 }
const conflict = (current: object) => () => refused(CODES.conflict, 'Conflict: changed', { fields: {}, current }, 409)
const line = (id: string, actor: string, diff: object) => ({
  id,
  at: '2026-03-01T06:30:00.000Z',
  actor,
  action: 'update',
  diff,
  reason: null,
})
const HISTORY = [
  line('2', 'Li Min', { name: ['Pen', 'Brushes'] }),
  line('1', 'Wang Fang', { items: [[], [ENTRY]], name: ['Pens', 'Pen'] }),
]

/** Somebody has version 4 open while colleagues make version 6 of it. */
async function openForm(...answers: Answer[]) {
  const page = await renderPage(<Page />, {
    search: 'edit=7',
    superAdmin: true,
    calls: {
      'GET /api/system/dictionary': () => paged([]),
      'GET /api/system/dictionary/7': () => READ,
      'GET /api/system/dictionary/7/timeline': () => HISTORY,
      [SAVE]: inTurn(...answers, () => null),
    },
  })
  await screen.findByLabelText('Name', { selector: '.ant-drawer input' })
  return page
}
const field = (name: string) =>
  screen.getByLabelText(name, { selector: '.ant-drawer form input, .ant-drawer form textarea' }) as HTMLInputElement
const save = () => press('Save dictionary type')
const notice = async () =>
  (await screen.findByText('Someone else has changed this record')).closest('.ant-alert') as HTMLElement
const questions = (shown: HTMLElement) => [...shown.querySelectorAll('fieldset')].map(({ textContent }) => textContent)
const choose = (shown: HTMLElement, words: string) =>
  fireEvent.click(within(shown).getByLabelText(words, { exact: false }))
const bodies = (page: Awaited<ReturnType<typeof openForm>>) => page.sent(SAVE).map(({ body }) => body)
const saved = () => waitFor(() => expect(document.querySelector('.ant-drawer-open')).toBeNull())

describe('when a colleague was quicker', () => {
  test('what only one of us changed is brought together and saved without a question', async () => {
    const page = await openForm(conflict(NEWEST))
    type(field('Note'), 'mine')
    save()
    await saved()
    expect(bodies(page)).toEqual([
      { name: 'Pens', note: 'mine', items: [], version: 4 },
      { name: 'Brushes', note: 'mine', items: [ENTRY], version: 6 },
    ])
    await screen.findByText('Edited successfully · Merged from your colleagues: Name, Entries')
  })

  test('only what both changed is asked, side by side, with who and when; nothing is sent before', async () => {
    const page = await openForm(conflict(NEWEST))
    type(field('Name'), 'Ink')
    save()
    const shown = await notice()
    expect(questions(shown)).toEqual(['NameYoursInkLi Min · 2026-03-01 14:30Brushes'])
    expect(shown.textContent).toContain('Merged from your colleagues: Entries')
    expect(button('Save dictionary type').disabled).toBe(true)
    expect(bodies(page)).toHaveLength(1)
  })

  test('what is asked comes into sight and under the keys, however far down the form was saved, and only once', async () => {
    const into = vi.spyOn(Element.prototype, 'scrollIntoView')
    await openForm(conflict(NEWEST))
    const asked = () => into.mock.contexts.filter(on => (on as Element).querySelector('.inkstone-conflict'))
    type(field('Name'), 'Ink')
    save()
    const shown = await notice()
    expect(document.activeElement?.contains(shown)).toBe(true)
    expect(document.activeElement?.tagName).toBe('SECTION')
    expect(asked()).toHaveLength(1)
    choose(shown, 'Yours')
    expect(asked()).toHaveLength(1)
  })

  test('one may keep one’s own: it is saved over the newest, with all else the colleague changed', async () => {
    const page = await openForm(conflict(NEWEST))
    type(field('Name'), 'Ink')
    save()
    choose(await notice(), 'Yours')
    save()
    await saved()
    expect(bodies(page).at(-1)).toEqual({ name: 'Ink', note: 'old', items: [ENTRY], version: 6 })
  })

  test('a draft that an edition was published over is brought in too: what differs is asked, and none of it is overwritten unseen', async () => {
    const begun = { name: 'Pens', note: 'old', items: [] }
    const stale = { base: begun, mine: { name: 'Drafted', note: 'drafted', items: [ENTRY] } }
    const page = await openForm(conflict({ ...READ, note: 'published', version: 6, stale }))
    type(field('Name'), 'Ink')
    save()
    const shown = await notice()
    expect(questions(shown)).toEqual([
      expect.stringMatching(/^NameYoursInk.*Drafted$/),
      expect.stringMatching(/^NoteYoursdrafted.*published$/),
    ])
    expect(field('Note').value).toBe('drafted')
    for (const group of within(shown).getAllByRole('group')) choose(group, 'Yours')
    save()
    await saved()
    expect(bodies(page).at(-1)).toEqual({ name: 'Ink', note: 'drafted', items: [ENTRY], version: 6 })
  })

  test('one may take the colleague’s', async () => {
    const page = await openForm(conflict(NEWEST))
    type(field('Name'), 'Ink')
    save()
    choose(await notice(), 'Li Min')
    expect(field('Name').value).toBe('Brushes')
    save()
    await saved()
    expect(bodies(page).at(-1)).toEqual({ name: 'Brushes', note: 'old', items: [ENTRY], version: 6 })
  })

  test('one may enter a third value, which decides too', async () => {
    const page = await openForm(conflict(NEWEST))
    type(field('Name'), 'Ink')
    save()
    await notice()
    type(field('Name'), 'Ink and brushes')
    await waitFor(() => expect(button('Save dictionary type').disabled).toBe(false))
    save()
    await saved()
    expect(bodies(page).at(-1)).toMatchObject({ name: 'Ink and brushes', version: 6 })
  })

  test('a colleague who is quicker once more is asked about once more', async () => {
    const page = await openForm(conflict(NEWEST), conflict({ ...NEWEST, name: 'Quills', version: 7 }))
    type(field('Name'), 'Ink')
    save()
    choose(await notice(), 'Yours')
    save()
    await waitFor(async () => expect(questions(await notice())[0]).toContain('Quills'))
    expect(button('Save dictionary type').disabled).toBe(true)
    choose(await notice(), 'Yours')
    save()
    await saved()
    expect(bodies(page).at(-1)).toMatchObject({ name: 'Ink', items: [ENTRY], version: 7 })
  })

  test('what was typed before a reload meets what was saved meanwhile in the same way', async () => {
    await openForm()
    type(field('Name'), 'Ink')
    const page = await renderPage(<Page />, {
      search: 'edit=7',
      superAdmin: true,
      calls: {
        'GET /api/system/dictionary': () => paged([]),
        'GET /api/system/dictionary/7': () => NEWEST,
        'GET /api/system/dictionary/7/timeline': () => HISTORY,
        [SAVE]: () => null,
      },
    })
    const shown = await notice()
    expect(questions(shown)).toEqual(['NameYoursInkLi Min · 2026-03-01 14:30Brushes'])
    choose(shown, 'Yours')
    save()
    await saved()
    expect(page.sent(SAVE).map(({ body }) => body)).toEqual([{ name: 'Ink', note: 'old', items: [ENTRY], version: 6 }])
  })
})

test('a masked value both entered anew is asked about, even when both look the same behind their stars', async () => {
  await loadTexts('members/member')
  const member = {
    id: '70',
    name: '李小墨',
    phone: '138****8000',
    guardianName: '李*',
    source: 'APP',
    channel: 'OTHER',
    tags: [],
    version: 3,
    labels: {},
    steps: {},
  }
  const PUT = 'PUT /api/members/member/70'
  const page = await renderPage(<Members />, {
    search: 'edit=70',
    superAdmin: true,
    calls: {
      ...commonCalls,
      'GET /api/members/member': () => paged([]),
      'GET /api/members/member/counts': () => null,
      'GET /api/members/member/70': () => member,
      'GET /api/members/member/70/timeline': () => [line('1', 'Wang Fang', { guardianName: ['李*', '李*'] })],
      [PUT]: inTurn(conflict({ ...member, version: 4 }), () => null),
    },
  })
  type(await screen.findByLabelText('Guardian', { selector: '.ant-drawer input' }), '李大江')
  press('Save member')
  const shown = await notice()
  expect(questions(shown)).toEqual(['GuardianYours李大江Wang Fang · 2026-03-01 14:30李*'])
  choose(shown, 'Wang Fang')
  press('Save member')
  await saved()
  expect(page.sent(PUT).at(-1)?.body).toEqual({ name: '李小墨', tags: [], version: 4 })
})
