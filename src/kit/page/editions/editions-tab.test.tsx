import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { resource } from '#areas/products/course-package/model.ts'
import { resource as script } from '#areas/system/rule-script/model.ts'
import type { Resource } from '#kit/model/resource.ts'
import { press, renderPage } from '../../../../tools/testing/page.tsx'
import { loadTexts } from '../language.ts'
import type { Row } from '../list/list-state.ts'
import { EditionsTab } from './editions-tab.tsx'

const PATH = '/api/products/course-package/5'
const lesson = (id: string, day: number, title = id) => ({ id, title, day, material: '', homework: '' })
const body = (days: number, lessons: readonly object[], name = 'Pen control for beginners') => ({
  name,
  stage: 'CONTROL',
  days,
  lessons,
})
const BODIES: Readonly<Record<string, object>> = {
  1: body(7, [lesson('Grip', 1), lesson('Lines', 2), lesson('Circles', 3)]),
  2: body(9, [lesson('Circles', 1), lesson('Grip', 2), lesson('Dots', 3)], 'Pen control for children'),
}
const edition = (number: number, more: object = {}) => ({
  edition: number,
  publishedBy: 'Wang Fang',
  publishedAt: '2026-01-01T00:00:00Z',
  restores: null,
  uses: [],
  ...more,
})
const pupils = { name: 'uses.pupils', count: 7, links: [{ name: 'Li Lei', path: '/members/list/3' }] }

async function show(actions: readonly string[], draft: object | null = null, others: Record<string, string[]> = {}) {
  await Promise.all(['products/course-package', 'kit/page/detail', 'kit/page/editions'].map(loadTexts))
  return renderPage(<EditionsTab resource={resource as unknown as Resource} shows={{}} row={{ id: '5' } as Row} />, {
    grants: { 'product-package': actions, ...others },
    calls: {
      [`GET ${PATH}/editions`]: () => [edition(2), edition(1, { uses: [pupils] })],
      [`GET ${PATH}/editions/body`]: ({ query }) => BODIES[String(query.edition)],
      [`GET ${PATH}/draft`]: () => draft,
      [`POST ${PATH}/restore`]: () => null,
    },
  })
}

describe('the editions of a record', () => {
  test('are told newest first, with who holds each and the way there', async () => {
    await show(['detail'], null, { member: [], 'member-list': ['list', 'detail'] })
    expect(await screen.findByText('Edition 2')).toBeTruthy()
    expect(screen.getByText('Current')).toBeTruthy()
    expect(screen.getByText(/^Members: 7/)).toBeTruthy()
    expect(screen.getByText('Li Lei').getAttribute('href')).toBe('#/members/list/3')
  })

  test('name who holds them without a link to those who may not open that page', async () => {
    await show(['detail'])
    expect((await screen.findByText('Li Lei')).getAttribute('href')).toBeNull()
  })

  test('say what they changed: words, figures, and lines by what they are and not by their place', async () => {
    await show(['detail'])
    fireEvent.click((await screen.findAllByText('Show changes'))[0] as HTMLElement)
    await screen.findByText('Compared with edition 1')
    const told = (await screen.findByText('Compared with edition 1')).parentElement as HTMLElement
    await waitFor(() => expect(told.textContent).toContain('Days: 7 → 9'))
    expect([...told.querySelectorAll('ins')].map(({ textContent }) => textContent)).toEqual([
      'children',
      'Added "Dots"',
    ])
    expect([...told.querySelectorAll('del')].map(({ textContent }) => textContent)).toEqual([
      'beginners',
      'Removed "Lines"',
    ])
    expect(within(told).getByText('moved from place 3 to 1')).toBeTruthy()
  })

  test('are restored by whoever may, with a reason, after what would change was shown', async () => {
    const page = await show(['detail', 'restore'])
    await screen.findByText('Edition 2')
    press('Restore')
    expect(await screen.findByText('Edition 2, the current one, will change so:')).toBeTruthy()
    const buttons = () => screen.getAllByRole('button', { name: 'Restore' })
    expect((buttons().at(-1) as HTMLButtonElement).disabled).toBe(true)
    fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'Wrong order' } })
    await waitFor(() => expect((buttons().at(-1) as HTMLButtonElement).disabled).toBe(false))
    fireEvent.click(buttons().at(-1) as HTMLElement)
    await waitFor(() =>
      expect(page.sent(`POST ${PATH}/restore`)[0]?.body).toEqual({ edition: 1, current: 2, reason: 'Wrong order' }),
    )
  })

  test('are offered for restoring to nobody else, and drafts are not even asked for', async () => {
    const page = await show(['detail'])
    await screen.findByText('Edition 2')
    expect(screen.queryByRole('button', { name: 'Restore' })).toBeNull()
    expect(page.sent(`GET ${PATH}/draft`)).toEqual([])
  })

  test('a draft begun before the newest one says so, and shows what both changed', async () => {
    const draft = { base: 1, body: body(8, [lesson('Grip', 1)]), draftedBy: 'Li Na', draftedAt: '2026-01-02T00:00:00Z' }
    await show(['detail', 'drafts'], draft)
    expect(await screen.findByText('Edition 2 was published after this draft was begun')).toBeTruthy()
    await waitFor(() => expect(screen.getAllByText(/^Days/).map(({ textContent }) => textContent)).toHaveLength(2))
    expect(screen.getAllByText(/^Days/).map(({ textContent }) => textContent)).toEqual(['Days: 7 → 8', 'Days: 7 → 9'])
  })

  test('a draft of what was never published is read as the slice shows it, with no emptiness below', async () => {
    await Promise.all(['system/rule-script', 'kit/page/detail', 'kit/page/editions'].map(loadTexts))
    const SCRIPT = '/api/system/rule-script/5'
    const body = { name: 'Is it late', source: 'return late', note: '' }
    await renderPage(
      <EditionsTab
        resource={script as unknown as Resource}
        shows={{ source: ({ source }: { source: string }) => <pre>{source}</pre> }}
        row={{ id: '5', source: '' } as unknown as Row}
      />,
      {
        grants: { [script.screen.key]: ['detail', 'drafts'] },
        calls: {
          [`GET ${SCRIPT}/editions`]: () => [],
          [`GET ${SCRIPT}/draft`]: () => ({ base: 0, body, draftedBy: 'Li Na', draftedAt: '2026-01-02T00:00:00Z' }),
        },
      },
    )
    expect((await screen.findByText('return late')).tagName).toBe('PRE')
    expect(screen.getAllByText(/return late/)).toHaveLength(1)
    expect(screen.queryByText('Nothing has been published yet')).toBeNull()
  })
})
