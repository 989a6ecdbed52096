import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { SecondLooks } from '#areas/members/work/second-look.model.ts'
import { refused, renderPage } from '../../../../tools/testing/page.tsx'
import { SecondLooks as Page } from './second-looks.page.tsx'

const teacher = { name: '张老师', department: '教学部', commented: 120, due: 3, passed: 5, overturned: 1 }
const looks = (share: number | null): SecondLooks => ({
  usual: 5,
  days: 30,
  teachers: [{ ...teacher, id: '7', share }],
})
const open = (grants: readonly string[]) =>
  renderPage(<Page onClose={() => {}} />, {
    grants: { 'opus-list': grants },
    calls: {
      'GET /api/members/work/second-looks': () => looks(null),
      'PUT /api/members/work/second-looks/7': ({ body }) => looks((body as { share: number }).share),
    },
  })

test('whoever may set shares sees what came of second looks of each teacher, and stores another share by Enter, once', async () => {
  const page = await open(['passReview', 'setShare'])
  expect(await screen.findByText('张老师')).toBeTruthy()
  for (const figure of ['120', '3', '5', '1']) expect(screen.getByText(figure)).toBeTruthy()
  const share = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Share of 张老师' })
  expect(share.placeholder).toBe('5')
  share.focus()
  fireEvent.change(share, { target: { value: '30' } })
  fireEvent.keyDown(share, { key: 'Enter', keyCode: 13 })
  await waitFor(() => expect(page.sent('PUT /api/members/work/second-looks/7')).toHaveLength(1))
  expect(page.sent('PUT /api/members/work/second-looks/7')[0]?.body).toEqual({ share: 30, before: null })
  await waitFor(() => expect(screen.getByRole<HTMLInputElement>('spinbutton').value).toBe('30'))
})

test('what is no share is sent as it was typed, refused, and the share in force stands again', async () => {
  const page = await renderPage(<Page onClose={() => {}} />, {
    grants: { 'opus-list': ['passReview', 'setShare'] },
    calls: {
      'GET /api/members/work/second-looks': () => looks(40),
      'PUT /api/members/work/second-looks/7': () => refused(4005, 'Not stored: at most 100'),
    },
  })
  const share = await screen.findByRole<HTMLInputElement>('spinbutton')
  share.focus()
  for (const value of ['1', '15', '150']) fireEvent.change(share, { target: { value } })
  fireEvent.keyDown(share, { key: 'Enter', keyCode: 13 })
  await waitFor(() => expect(page.sent('PUT /api/members/work/second-looks/7')).toHaveLength(1))
  expect(page.sent('PUT /api/members/work/second-looks/7')[0]?.body).toEqual({ share: 150, before: 40 })
  await waitFor(() => expect(share.value).toBe('40'))
})

test('whoever only looks at comments again sees the share in force and cannot change it', async () => {
  await open(['passReview'])
  expect(await screen.findByText('5%')).toBeTruthy()
  expect(screen.queryByRole('spinbutton')).toBeNull()
})
