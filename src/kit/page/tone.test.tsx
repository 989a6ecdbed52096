import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Tone } from '#kit/model/field.ts'
import { renderPage } from '../../../tools/testing/page.tsx'
import { StateTag, ToneDot } from './tone.tsx'

const TONES: readonly Tone[] = ['idle', 'busy', 'attention', 'done', 'failed', 'special']

test('each state has a colour of its own, and its word stands in it', async () => {
  await renderPage(
    TONES.map(tone => (
      <StateTag key={tone} tone={tone}>
        {tone}
      </StateTag>
    )),
  )
  const colours = TONES.map(tone => screen.getByText(tone).style.background)
  expect(new Set(colours).size).toBe(TONES.length)
})

test('a dot says in words what its colour means', async () => {
  await renderPage(<ToneDot tone="done" title="Member" />)
  expect(screen.getByRole('img', { name: 'Member' }).title).toBe('Member')
})
