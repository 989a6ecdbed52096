import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { renderPage } from '../../../../tools/testing/page.tsx'
import { Outcome } from './outcome.page.tsx'

test('what a run had done stands in words beside what it decided', async () => {
  await loadTexts('system/rule-chain/runs')
  const deeds = [
    { node: 'setTag', of: 'QUIET', result: 'ALREADY' },
    { node: 'notify', of: 'carer', result: 'TOO_MANY' },
  ]
  const { container } = await renderPage(<Outcome outcome={JSON.stringify({ teacher: 'lin', deeds })} />)
  screen.getByText('{"teacher":"lin"}')
  expect(container.textContent).toContain('setTag QUIET · done before')
  expect(container.textContent).toContain('notify carer · too many people, none told')
})

test('what was kept in another form is shown as it is', async () => {
  await loadTexts('system/rule-chain/runs')
  const { container } = await renderPage(<Outcome outcome='{"deeds":[{"node":"x"}]}' />)
  expect(container.textContent).toContain('{"deeds":[{"node":"x"}]}')
})
