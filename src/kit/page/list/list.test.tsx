import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, test } from 'vitest'
import { resource, workflow } from '#areas/orders/refund-application/model.ts'
import { paged, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls, refund } from '../../../../tools/testing/page-records.ts'
import { useTab } from '../tab.ts'
import { List } from './list.tsx'
import { useAnswer, useAsked, useChosen, useChosenCount, useRights } from './list-context.ts'
import { ListBar, ListBody, ListPager, ListTabs } from './list-parts.tsx'

const LIST = 'GET /api/orders/refund-application'

const open = async (children: ReactNode) => {
  const page = await renderPage(
    <List resource={resource} workflow={workflow}>
      {children}
    </List>,
    {
      grants: { 'order-refundApply': ['list', 'detail', 'approve'] },
      calls: {
        ...commonCalls,
        [LIST]: () => paged([refund('2', { steps: { approve: null } }), refund('1')]),
        [`${LIST}/2`]: () => refund('2'),
        [`${LIST}/counts`]: () => ({}),
      },
    },
  )
  return page
}
const tick = (id: string) =>
  fireEvent.click(document.querySelector(`tr[data-row-key="${id}"] input[type=checkbox]`) as Element)

/** Keeps what it was given, each time it is drawn. */
function Part<T>({ useIt, given }: { useIt: () => T; given: T[] }) {
  given.push(useIt())
  return null
}
const useFirst = () => useChosen('2')
const useSecond = () => useChosen('1')

function Opener() {
  const tab = useTab()
  return (
    <button type="button" onClick={() => tab.change({ open: '2' })}>
      open it
    </button>
  )
}

function Filter() {
  const asked = useAsked()
  return (
    <button type="button" onClick={() => asked.filter({ status: asked.filters.status ? undefined : ['SUBMITTED'] })}>
      filter
    </button>
  )
}

describe('the parts of a list', () => {
  test('stand where a screen puts them, and work there', async () => {
    const page = await open(
      <>
        <ListPager />
        <ListBody />
        <ListTabs />
      </>,
    )
    await screen.findByText('R2026030200002')
    const submitted = await screen.findByRole('tab', { name: /^Awaiting manager/ })
    const [pager, table, tabs] = ['.ant-pagination', '.inkstone-table', '.inkstone-tabs'].map(
      part => document.querySelector(part) as Element,
    ) as [Element, Element, Element]
    expect(pager.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
    expect(table.compareDocumentPosition(tabs) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
    fireEvent.click(submitted)
    await waitFor(() => expect(page.address()).toBe('status=SUBMITTED'))
  })

  test('choosing a row draws that row anew, and no part that shows neither', async () => {
    const [asked, answer, rights, first, second, count] = [[], [], [], [], [], []] as unknown[][]
    await open(
      <>
        <ListBody />
        <Part useIt={useAsked} given={asked as never} />
        <Part useIt={useAnswer} given={answer as never} />
        <Part useIt={useRights} given={rights as never} />
        <Part useIt={useFirst} given={first as never} />
        <Part useIt={useSecond} given={second as never} />
        <Part useIt={useChosenCount} given={count as never} />
      </>,
    )
    await screen.findByText('R2026030200002')
    const before = [asked, answer, rights, second].map(given => given?.length)
    act(() => tick('2'))
    await waitFor(() => expect(first?.at(-1)).toBe(true))
    expect(count?.at(-1)).toBe(1)
    expect([asked, answer, rights, second].map(given => given?.length)).toEqual(before)
  })

  test('a record that is opened changes neither the question nor the answer', async () => {
    const asked: unknown[] = []
    const answer: unknown[] = []
    const page = await open(
      <>
        <ListBody />
        <Opener />
        <Part useIt={useAsked} given={asked as never} />
        <Part useIt={useAnswer} given={answer as never} />
      </>,
    )
    await screen.findByText('R2026030200002')
    const [question, rows] = [asked.at(-1), answer.at(-1)]
    fireEvent.click(screen.getByText('open it'))
    await waitFor(() => expect(page.address()).toBe('open=2'))
    expect(asked.at(-1)).toBe(question)
    expect(answer.at(-1)).toBe(rows)
    expect(page.sent(LIST)).toHaveLength(1)
  })

  test('what was chosen under one filter is not chosen again when it comes back', async () => {
    const count: number[] = []
    await open(
      <>
        <ListBody />
        <Filter />
        <Part useIt={useChosenCount} given={count} />
      </>,
    )
    await screen.findByText('R2026030200002')
    tick('2')
    await waitFor(() => expect(count.at(-1)).toBe(1))
    fireEvent.click(screen.getByText('filter'))
    await waitFor(() => expect(count.at(-1)).toBe(0))
    fireEvent.click(screen.getByText('filter'))
    await waitFor(() => expect(document.querySelector('tr[data-row-key="2"]')).not.toBeNull())
    expect(count.at(-1)).toBe(0)
  })

  test('two lists of one record on a page choose each their own', async () => {
    const [one, other]: [number[], number[]] = [[], []]
    await open(
      <>
        <ListBody />
        <Part useIt={useChosenCount} given={one} />
        <List resource={resource} workflow={workflow}>
          <ListBar />
          <Part useIt={useChosenCount} given={other} />
        </List>
      </>,
    )
    await screen.findByText('R2026030200002')
    tick('2')
    await waitFor(() => expect(one.at(-1)).toBe(1))
    expect(other.at(-1)).toBe(0)
  })
})
