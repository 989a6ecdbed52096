import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { Page as Dictionary } from '#areas/system/dictionary/page.tsx'
import { CODES } from '#kit/model/contract.ts'
import {
  button,
  type Calls,
  findButton,
  held,
  inTurn,
  paged,
  press,
  refused,
  renderPage,
  type,
} from '../../../../tools/testing/page.tsx'
import { dictionaryType } from '../../../../tools/testing/page-records.ts'
import { useUser } from '../user.ts'

const VIEWS = '/api/common/view'
const own = { id: '1', name: 'Mine', query: 'builtIn=false', isShared: false, isMine: true, by: 'Tester' }
const others = {
  id: '2',
  name: 'Theirs',
  query: 'query=pen&sort=name%3Aasc',
  isShared: true,
  isMine: false,
  by: 'Chief',
}

async function openViews(search = '', calls: Calls = {}, preference?: Record<string, unknown>) {
  const showing = renderPage(<Dictionary />, {
    search,
    superAdmin: true,
    calls: {
      'GET /api/system/dictionary': () => paged([dictionaryType('1')]),
      [`GET ${VIEWS}`]: () => ({ views: [own, others], mayShare: true }),
      'PUT /api/account/preference': () => ({}),
      ...calls,
    },
    ...(preference ? { preference } : {}),
  })
  const page = await showing
  await screen.findByText('Type 1')
  return page
}
const show = async (name = 'Views') => {
  await waitFor(() => button(name))
  press(name)
}
const menu = async (view: string, action: string) => {
  await screen.findByText(view)
  press(`Actions for view "${view}"`)
  fireEvent.click(await screen.findByText(action))
}
const chosen = () => useUser.getState().info?.preference['view.dictionary']

describe('views of a list', () => {
  test('are applied whole: what else was set is gone', async () => {
    const page = await openViews('name=x&current=3')
    await show()
    fireEvent.click(await screen.findByText('Theirs'))
    expect(page.address()).toBe('query=pen&sort=name%3Aasc')
    await waitFor(() => expect(button('Theirs').className).toContain('primary'))
  })

  test('are asked for only when somebody looks, or something is set', async () => {
    const page = await openViews()
    await waitFor(() => button('Views'))
    expect(page.sent(`GET ${VIEWS}`)).toEqual([])
    await show()
    await screen.findByText('Mine')
    expect(page.sent(`GET ${VIEWS}`)).toMatchObject([{ query: { page: 'dictionary' } }])
  })

  test('keep filters, search and sort under a name, in one order, and not the page one is on', async () => {
    const page = await openViews('sort=code%3Adesc&query=a&name=z&current=2&size=50&with.code=1', {
      [`POST ${VIEWS}`]: () => ({ id: '3' }),
    })
    await show()
    type(await screen.findByLabelText('View name'), ' Pens ')
    press('Save these filters')
    await screen.findByText('View saved')
    expect(page.sent(`POST ${VIEWS}`)[0]?.body).toEqual({
      page: 'dictionary',
      name: 'Pens',
      query: 'name=z&query=a&sort=code%3Adesc',
      isShared: false,
    })
  })

  test('one is kept once, however often Enter is pressed', async () => {
    const answer = held<object>()
    const page = await openViews('name=z', { [`POST ${VIEWS}`]: answer.answer })
    await show()
    const name = await screen.findByLabelText('View name')
    type(name, 'Pens')
    for (let times = 0; times < 2; times += 1) {
      fireEvent.keyDown(name, { key: 'Enter' })
      fireEvent.keyUp(name, { key: 'Enter' })
    }
    await waitFor(() => expect(page.sent(`POST ${VIEWS}`)).not.toHaveLength(0))
    expect(page.sent(`POST ${VIEWS}`)).toHaveLength(1)
    answer.give({ id: '3' })
    await screen.findByText('View saved')
  })

  test('a refused one says why and stays to be named anew', async () => {
    await openViews('name=z', {
      [`POST ${VIEWS}`]: () => refused(CODES.validation, 'Please check your entries: Already taken', null, 422),
    })
    await show()
    type(await screen.findByLabelText('View name'), 'Mine')
    press('Save these filters')
    expect(await screen.findByText('Already taken')).toBeTruthy()
    expect((screen.getByLabelText('View name') as HTMLInputElement).value).toBe('Mine')
  })

  test('nothing is offered for saving while nothing is set, or what is set is kept already', async () => {
    await openViews('builtIn=false')
    await show('Mine')
    await screen.findByText('Theirs')
    expect(findButton('Save these filters')).toBeUndefined()
  })

  test('one’s own are renamed, updated, shared and deleted', async () => {
    const page = await openViews('name=z', {
      [`PUT ${VIEWS}/1`]: () => null,
      [`DELETE ${VIEWS}/1`]: () => null,
    })
    await show()
    await menu('Mine', 'Share with everyone who can see this page')
    await waitFor(() => expect(page.sent(`PUT ${VIEWS}/1`)).toHaveLength(1))
    await menu('Mine', 'Update to these filters')
    await waitFor(() => expect(page.sent(`PUT ${VIEWS}/1`)).toHaveLength(2))
    await menu('Mine', 'Rename')
    type(await screen.findByDisplayValue('Mine'), 'Ours')
    press('Rename')
    await waitFor(() => expect(page.sent(`PUT ${VIEWS}/1`)).toHaveLength(3))
    expect(page.sent(`PUT ${VIEWS}/1`).map(({ body }) => body)).toEqual([
      { name: 'Mine', query: 'builtIn=false', isShared: true },
      { name: 'Mine', query: 'name=z', isShared: false },
      { name: 'Ours', query: 'builtIn=false', isShared: false },
    ])
    await menu('Mine', 'Delete')
    await screen.findAllByText('Delete the view "Mine"?')
    expect(page.sent(`DELETE ${VIEWS}/1`)).toEqual([])
    press('Delete', document.querySelector('.ant-modal-confirm') as HTMLElement)
    await waitFor(() => expect(page.sent(`DELETE ${VIEWS}/1`)).toHaveLength(1))
  })

  test('others’ may be begun with, and no more', async () => {
    const page = await openViews()
    await show()
    await screen.findByText('Theirs')
    press('Actions for view "Theirs"')
    fireEvent.click(await screen.findByText('Use as default view'))
    await waitFor(() => expect(chosen()).toEqual({ id: '2', query: others.query }))
    expect(page.sent('PUT /api/account/preference')[0]?.body).toEqual({ 'view.dictionary': chosen() })
    expect(screen.queryByText('Rename')).toBeNull()
  })
})

describe('the view a list begins with', () => {
  const begin = { 'view.dictionary': { id: '1', query: 'builtIn=false' } }

  test('is applied to a list without an address of its own, once', async () => {
    const page = await openViews('', {}, begin)
    expect(page.address()).toBe('builtIn=false')
    page.go('')
    await waitFor(() => expect(page.address()).toBe(''))
  })

  test('gives way to an address that says what to show', async () => {
    const page = await openViews('query=ink', {}, begin)
    expect(page.address()).toBe('query=ink')
  })

  test('follows its owner: changed it is begun with changed, deleted it is forgotten', async () => {
    await openViews('', { [`GET ${VIEWS}`]: () => ({ views: [{ ...own, query: 'code=A' }], mayShare: false }) }, begin)
    await waitFor(() => expect(chosen()).toEqual({ id: '1', query: 'code=A' }))
    await openViews('', { [`GET ${VIEWS}`]: inTurn(() => ({ views: [], mayShare: false })) }, begin)
    await waitFor(() => expect(chosen()).toBeNull())
  })
})
