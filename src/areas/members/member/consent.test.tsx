import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { paged, renderPage } from '../../../../tools/testing/page.tsx'
import { ConsentLine, Consents } from './consent.page.tsx'

const calls = {
  'GET /api/members/member/70/consent': () => ({ DISPLAY: 'GIVEN' }),
  'GET /api/members/member/70/consents': () => paged([]),
}
const texts = () => Promise.all([loadTexts('members/member'), loadTexts('members/member/consents')])

test.each([
  ['UNDER_14', 'Under 14', 'The guardian has to agree'],
  ['FROM_14', '14 or older', 'The member or the guardian has to agree'],
  ['UNKNOWN', 'Age not known, treated as under 14', 'Enter the birth month first'],
] as const)(
  'the consent of a member (%s) says how old the member is, who has to agree and to what',
  async (ageGroup, age, who) => {
    await texts()
    const consent = { ageGroup, missing: ['VOICE', 'MARKETING'] as const }
    await renderPage(<Consents row={{ id: '70', consent: { ...consent, missing: [...consent.missing] } }} />, { calls })
    expect(await screen.findByText(age)).toBeTruthy()
    expect(screen.getByText(new RegExp(`${who}.*: Voice · Marketing messages$`))).toBeTruthy()
  },
)

test('a member\u2019s page says the age group and what nobody has agreed to, or that nothing is missing', async () => {
  await texts()
  const { unmount } = await renderPage(<ConsentLine consent={{ ageGroup: 'UNDER_14', missing: ['VIDEO'] }} />)
  screen.getByText('Under 14')
  screen.getByText('no consent to: Video')
  unmount()
  await renderPage(<ConsentLine consent={{ ageGroup: 'FROM_14', missing: [] }} />)
  screen.getByText('14 or older')
  screen.getByText('consent to all five purposes')
})
