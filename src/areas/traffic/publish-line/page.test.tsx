import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { dayOf } from '#kit/model/time.ts'
import { paged, press, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { sampleRow } from '../../../../tools/testing/sample-row.ts'
import { resource } from './model.ts'
import { Page } from './page.tsx'

const PATH = `/api/${resource.screen.name}`
const line = sampleRow(resource as never, { id: '1', day: '2026-01-02', planned: 3, published: 1 })
const open = (search = '', actions: string[] = ['list']) =>
  renderPage(<Page />, {
    search,
    path: resource.screen.route,
    grants: { redBookPublishLine: actions, redBook: ['list'] },
    calls: {
      ...commonCalls,
      [`GET ${PATH}`]: () => paged([line]),
      [`GET ${PATH}/counts`]: () => ({}),
      [`GET ${PATH}/calendar`]: () => [],
    },
  })

describe('the publishing plan', () => {
  test('begins with the calendar, and as a list with today and what went before', async () => {
    const page = await open()
    expect(await screen.findByRole('button', { name: 'Today' })).toBeTruthy()
    fireEvent.click(screen.getByText('List'))
    await screen.findByLabelText('Published 1')
    expect(page.address()).toBe(`dayEnd=${dayOf(new Date())}`)
  })

  test('is the list for whoever asks for a part of it, and says of each line how it stands', async () => {
    const page = await open('account=OFFICIAL')
    expect(await screen.findByText('Fell short')).toBeTruthy()
    expect(page.address()).toBe('account=OFFICIAL')
  })

  test('leads from what was published to the posts of that day', async () => {
    await open('account=OFFICIAL')
    const link = await screen.findByLabelText('Published 1')
    expect(link.getAttribute('href')).toMatch(/publishedAtBegin=2026-01-02&publishedAtEnd=2026-01-02$/)
  })

  test('is added to from the calendar by whoever may', async () => {
    const page = await open('', ['list', 'create'])
    await screen.findByRole('button', { name: 'Today' })
    press('Add')
    expect(page.address()).toContain('create=1')
  })
})
