import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { Page as Dictionary } from '#areas/system/dictionary/page.tsx'
import { CODES } from '#kit/model/contract.ts'
import {
  type Calls,
  findButton,
  held,
  inTurn,
  paged,
  pick,
  press,
  refused,
  renderPage,
} from '../../../../tools/testing/page.tsx'
import { dictionaryType } from '../../../../tools/testing/page-records.ts'

const LIST = 'GET /api/system/dictionary'
const rows = (...ids: string[]) => ids.map(id => dictionaryType(id))
const open = (search: string, calls: Calls, grants?: readonly string[]) =>
  renderPage(<Dictionary />, { search, calls, ...(grants ? { grants: { dictionary: grants } } : { superAdmin: true }) })
const head = (name: string) =>
  [...document.querySelectorAll('th')].find(cell => cell.textContent === name) as HTMLTableCellElement
const shownRows = () =>
  [...document.querySelectorAll('tbody tr[data-row-key]')].map(row => row.getAttribute('data-row-key'))

describe('a list', () => {
  test('asks for its first ten rows, newest first by the server’s own order, and shows them', async () => {
    const page = await open('', { [LIST]: () => paged(rows('2', '1')) })
    await screen.findByText('Type 2')
    expect(page.sent(LIST).map(({ query }) => query)).toEqual([{ current: '1', size: '10' }])
    expect(shownRows()).toEqual(['2', '1'])
    expect([...document.querySelectorAll('th')].map(cell => cell.textContent)).toEqual(
      expect.arrayContaining(['Name', 'Code', 'Note', 'Built in', 'Created', 'Actions']),
    )
    expect(screen.getByText('1-2 of 2')).toBeTruthy()
  })

  test('says nothing of a number before it was told one', async () => {
    const answer = held<object>()
    await open('', { [LIST]: answer.answer })
    await waitFor(() => expect(head('Name')).toBeTruthy())
    expect(document.querySelector('.ant-pagination')).toBeNull()
    answer.give(paged([]))
    expect(await screen.findByText('0-0 of 0')).toBeTruthy()
  })

  test('is sorted up, down and not at all by clicking a head, in the address and on the server', async () => {
    const page = await open('current=2', { [LIST]: () => paged(rows('1'), 30) })
    await screen.findByText('Type 1')
    const asked: unknown[] = []
    for (const _ of [1, 2, 3]) {
      fireEvent.click(head('Name'))
      await waitFor(() => expect(page.sent(LIST)).toHaveLength(asked.length + 2))
      asked.push([page.address(), page.sent(LIST).at(-1)?.query.sort])
    }
    expect(asked).toEqual([
      ['sort=name%3Aasc', 'name:asc'],
      ['sort=name%3Adesc', 'name:desc'],
      ['', undefined],
    ])
    expect(head('Note').className).not.toContain('has-sorters')
  })

  test('is turned page by page, old rows staying until the new ones are there: they stand back, and a thin bar says that something is asked', async () => {
    const next = held<object>()
    const page = await open('', {
      [LIST]: ({ query }) => (query.current === '1' ? paged(rows('2'), 11) : next.answer()),
    })
    await screen.findByText('Type 2')
    fireEvent.click(screen.getByTitle('2'))
    expect(page.address()).toBe('current=2')
    await waitFor(() => expect(page.sent(LIST).at(-1)?.query.current).toBe('2'))
    expect(shownRows()).toEqual(['2'])
    const signs = () =>
      ['.inkstone-table.inkstone-old', '.inkstone-asking-now'].map(sign => document.querySelector(sign) !== null)
    expect(signs()).toEqual([true, true])
    next.give(paged(rows('1'), 11))
    await waitFor(() => expect(shownRows()).toEqual(['1']))
    expect(signs()).toEqual([false, false])
  })

  test('offers 10, 20, 30, 50 or 100 rows a page, and begins anew when that changes', async () => {
    const page = await open('current=3', { [LIST]: () => paged(rows('1'), 90) })
    await screen.findByText('Type 1')
    const size = document.querySelector('.ant-pagination-options input') as Element
    fireEvent.mouseDown(size)
    await waitFor(() => expect(document.querySelectorAll('.ant-select-item-option')).toHaveLength(5))
    expect([...document.querySelectorAll('.ant-select-item-option')].map(option => option.textContent)).toEqual(
      ['10', '20', '30', '50', '100'].map(number => `${number} / page`),
    )
    await pick(size, '50 / page')
    expect(page.address()).toBe('size=50')
    await waitFor(() => expect(page.sent(LIST).at(-1)?.query).toMatchObject({ current: '1', size: '50' }))
  })

  test('goes back to what is now the last page when the one it stands on has emptied', async () => {
    const page = await open('current=3&size=20', {
      [LIST]: ({ query }) => (query.current === '3' ? paged([], 40) : paged(rows('9'), 40)),
    })
    await screen.findByText('Type 9')
    expect(page.address()).toBe('size=20&current=2')
  })

  test('shows only what the person may do', async () => {
    const deeds = () => ['Add', 'Export', 'Refresh', 'Density', 'Columns'].filter(name => findButton(name))
    await open('', { [LIST]: () => paged(rows('1')) }, ['list'])
    await screen.findByText('Type 1')
    expect(deeds()).toEqual(['Refresh', 'Density', 'Columns'])
    expect(document.querySelector('.ant-table-selection-column')).toBeNull()
    expect(findButton('More')).toBeUndefined()
    await open('', { [LIST]: () => paged(rows('1')) }, ['list', 'create', 'export', 'delete'])
    await screen.findByText('Type 1')
    expect(deeds()).toEqual(['Add', 'Export', 'Refresh', 'Density', 'Columns'])
    expect(document.querySelector('.ant-table-selection-column')).not.toBeNull()
  })

  test('is asked for again by its refresh button', async () => {
    const page = await open('', { [LIST]: () => paged(rows('1')) })
    await screen.findByText('Type 1')
    press('Refresh')
    await waitFor(() => expect(page.sent(LIST)).toHaveLength(2))
  })
})

describe('a list without rows', () => {
  test('that is still being read says so, and nothing of emptiness', async () => {
    await open('', { [LIST]: held().answer })
    expect(document.querySelector('.ant-skeleton')).not.toBeNull()
    expect(screen.queryByText(/^Dictionaries provide the labels/)).toBeNull()
    expect(document.querySelector('[aria-busy=true]')).not.toBeNull()
  })

  test('says what will stand here, and how to make the first', async () => {
    await open('', { [LIST]: () => paged([]) })
    expect(await screen.findByText(/^Dictionaries provide the labels/)).toBeTruthy()
  })

  test('says so differently when only the filter leaves none', async () => {
    await open('query=zzz', { [LIST]: () => paged([]) })
    expect(await screen.findByText('Nothing matches these filters')).toBeTruthy()
    await open('builtIn=true', { [LIST]: () => paged([]) })
    expect(await screen.findByText('Nothing matches these filters')).toBeTruthy()
  })

  test('that could not be read says why in the server’s words, and is tried again on request', async () => {
    const broken = () => refused(CODES.error, 'Error: give the administrator the number 77', null, 500)
    await open('', { [LIST]: inTurn(broken, () => paged(rows('1'))) })
    expect(await screen.findByText('Loading failed')).toBeTruthy()
    expect(screen.getByText('Error: give the administrator the number 77')).toBeTruthy()
    press('Try again')
    expect(await screen.findByText('Type 1')).toBeTruthy()
  })

  test('shows no words of the browser when the server could not be reached', async () => {
    await open('', { [LIST]: () => Promise.reject(new TypeError('Failed to fetch')) })
    expect(await screen.findByText('Loading failed')).toBeTruthy()
    expect(screen.queryByText(/fetch/)).toBeNull()
  })
})

test('a request nobody waits for any more is called off when the filter changes', async () => {
  const slow = held<object>()
  const page = await open('query=a', {
    [LIST]: ({ query }) => (query.query === 'a' ? slow.answer() : paged(rows('2'))),
  })
  await waitFor(() => expect(page.sent(LIST)).toHaveLength(1))
  expect(page.sent(LIST)[0]?.signal.aborted).toBe(false)
  page.go('query=b')
  await screen.findByText('Type 2')
  expect(page.sent(LIST)[0]?.signal.aborted).toBe(true)
  slow.give(paged(rows('1')))
  expect(shownRows()).toEqual(['2'])
})

describe('by keyboard', () => {
  const key = (name: string, target: Element = document.body) => fireEvent.keyDown(target, { key: name })
  const cursor = () => document.querySelector('.inkstone-cursor')?.getAttribute('data-row-key')
  const calls = {
    [LIST]: () => paged(rows('3', '2', '1')),
    'GET /api/system/dictionary/2': () => dictionaryType('2'),
  }

  test('j and k move, x selects, e edits, Enter opens', async () => {
    const page = await open('', calls)
    await screen.findByText('Type 3')
    const seen: (string | null)[] = []
    const into = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      seen.push(this.getAttribute('data-row-key'))
    })
    for (const name of ['j', 'j', 'j', 'j', 'k']) key(name)
    expect(cursor()).toBe('2')
    // Each comes into sight as the keys reach it.
    expect(seen).toEqual(['3', '2', '1', '2'])
    into.mockRestore()
    key('x')
    expect(await screen.findByText('1 selected')).toBeTruthy()
    key('Enter')
    expect(page.address()).toBe('open=2')
    page.go('')
    key('e')
    expect(page.address()).toBe('edit=2')
  })

  test('letters typed into a box, or under an open drawer, are only letters', async () => {
    const page = await open('', calls)
    await screen.findByText('Type 3')
    key('j', screen.getByLabelText('Search'))
    expect(cursor()).toBeUndefined()
    page.go('create=1')
    await screen.findByLabelText('Note', { selector: 'textarea' })
    key('j')
    expect(cursor()).toBeUndefined()
  })
})
