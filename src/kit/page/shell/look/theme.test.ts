import { theme } from 'antd'
import { describe, expect, test } from 'vitest'
import { COLOURS } from '../../settings.ts'
import { contrast, READABLE, readableOn } from './colour.ts'
import { INK, paletteOf, QUIET, STATES, SURFACES } from './surfaces.ts'
import { themeOf } from './theme.ts'

const MODES = ['light', 'dark'] as const

describe('the colours', () => {
  test('contrast is measured as WCAG does', () => {
    expect(contrast('#000000', '#ffffff')).toBe(21)
    expect(contrast('#ffffff', '#ffffff')).toBe(1)
    expect(contrast('#1890ff', '#ffffff')).toBeCloseTo(3.26, 1)
  })

  test('a colour that can be read already is left as it is', () => {
    expect(readableOn(['#ffffff'], '#722ed1')).toBe('#722ed1')
  })

  test('every preset can be read as text, and white on it, in both themes', () => {
    const weak = MODES.flatMap(mode =>
      COLOURS.flatMap(colour => {
        const { readable, filled, tint } = paletteOf({ colour, dark: mode === 'dark' })
        const { container, raised, hover } = SURFACES[mode]
        const pairs = [
          ...[container, raised, hover, tint].map(surface => contrast(readable, surface)),
          contrast('#ffffff', filled),
        ]
        return pairs.some(ratio => ratio < READABLE) ? [`${mode} ${colour}`] : []
      }),
    )
    expect(weak).toEqual([])
  })

  test('text, quiet text and states can be read on every surface', () => {
    for (const mode of MODES) {
      const { page, container, raised } = SURFACES[mode]
      const texts = [INK[mode], QUIET[mode], ...Object.values(STATES[mode])]
      const weak = texts.filter(text => [page, container, raised].some(surface => contrast(text, surface) < READABLE))
      expect(weak).toEqual([])
    }
  })

  test('antd uses the measured shades and keeps the chosen colour for lines', () => {
    const palette = paletteOf({ colour: '#1890ff', dark: true })
    const config = themeOf(palette, false)
    const token = theme.getDesignToken(config)
    expect(token.colorPrimary).toBe(palette.readable)
    expect(token.colorLink).toBe(palette.readable)
    expect(token.colorBgContainer).toBe(SURFACES.dark.container)
    expect(config.components?.Tabs?.inkBarColor).toBe('#1890ff')
  })

  test('who asked for less motion gets none', () => {
    expect(themeOf(paletteOf({ colour: '#1890ff', dark: false }), true).token?.motion).toBe(false)
  })
})
