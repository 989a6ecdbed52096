import { screen } from '@testing-library/react'
import { ConfigProvider } from 'antd'
import { describe, expect, test } from 'vitest'
import type { Tone } from '#kit/model/field.ts'
import { renderPage } from '../../../tools/testing/page.tsx'
import { contrast, READABLE } from './shell/look/colour.ts'
import { paletteOf } from './shell/look/surfaces.ts'
import { themeOf } from './shell/look/theme.ts'
import { ColourTag, StateTag, ToneDot } from './tone.tsx'

const TONES: readonly Tone[] = ['idle', 'busy', 'attention', 'done', 'failed', 'special']
const THEMES = { light: false, dark: true }

const inTheme = (dark: boolean, children: React.ReactNode) =>
  renderPage(<ConfigProvider theme={themeOf(paletteOf({ colour: '#1890ff', dark }), true)}>{children}</ConfigProvider>)
const contrastOf = (word: string) => {
  const { color, background } = screen.getByText(word).style
  return contrast(color, background)
}

describe.each(Object.entries(THEMES))('in the %s theme', (_, dark) => {
  test('each state has a colour of its own, and its word stands in it', async () => {
    await inTheme(
      dark,
      TONES.map(tone => (
        <StateTag key={tone} tone={tone}>
          {tone}
        </StateTag>
      )),
    )
    const colours = TONES.map(tone => screen.getByText(tone).style.background)
    expect(new Set(colours).size).toBe(TONES.length)
    // "Not started" lies on a veil and not on a colour; the theme’s own test measures its text.
    for (const tone of TONES.filter(tone => tone !== 'idle'))
      expect([tone, contrastOf(tone) >= READABLE]).toEqual([tone, true])
  })

  test('a word can be read in whatever colour somebody chose for it', async () => {
    const chosen = ['#ffff00', '#000000', '#ffffff', '#13c2c2', '#f5222d']
    await inTheme(
      dark,
      chosen.map(colour => (
        <ColourTag key={colour} colour={colour}>
          {colour}
        </ColourTag>
      )),
    )
    expect(chosen.filter(colour => contrastOf(colour) < READABLE)).toEqual([])
  })
})

test('a dot says in words what its colour means', async () => {
  await renderPage(<ToneDot tone="done" title="Member" />)
  expect(screen.getByRole('img', { name: 'Member' }).title).toBe('Member')
})
