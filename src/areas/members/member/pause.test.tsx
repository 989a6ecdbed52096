import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { addDays, dayOf } from '#kit/model/time.ts'
import { loadTexts } from '#kit/page/language.ts'
import { renderPage } from '../../../../tools/testing/page.tsx'
import { MembershipEnd } from './figures.page.tsx'
import { PauseNote } from './pause.page.tsx'

const day = (after: number) => addDays(dayOf(new Date()), after)

test('a member’s page says that the membership is paused and until when, or that it will be, and nothing otherwise', async () => {
  await loadTexts('members/member')
  const { unmount } = await renderPage(<PauseNote pause={{ from: day(-2), until: day(7) }} />)
  screen.getByText(`The membership is paused until ${day(7)}: no membership days pass until then`)
  unmount()
  const coming = await renderPage(<PauseNote pause={{ from: day(1), until: day(7) }} />)
  screen.getByText(new RegExp(`will be paused from ${day(1)} until ${day(7)}`))
  coming.unmount()
  await renderPage(<PauseNote pause={null} />)
  expect(screen.queryByText(/paused/)).toBeNull()
})

test('paused days are none of the days that are left', async () => {
  await loadTexts('members/member')
  await renderPage(<MembershipEnd day={day(19)} pause={{ from: day(-2), until: day(9) }} />)
  screen.getByText(/\b10 days/)
})
