import type { Settings } from '../../settings.ts'
import { mix, readableOn } from './colour.ts'

/** Dark is not inverted light: surfaces step up in lightness towards the reader. */
export const SURFACES = {
  light: {
    page: '#f4f5f7',
    container: '#ffffff',
    raised: '#ffffff',
    hover: '#eef0f3',
    line: '#e3e6ea',
    border: '#d0d5dc',
  },
  dark: {
    page: '#0f1317',
    container: '#161b21',
    raised: '#1e242c',
    hover: '#262d36',
    line: '#272e37',
    border: '#39424d',
  },
} as const
export const INK = { light: '#1f2329', dark: '#e4e8ec' } as const
export const QUIET = { light: '#5c6470', dark: '#a3adb8' } as const
/** Seeds of states that can be read as text on their own tint (WCAG AA). */
export const STATES = {
  light: { colorSuccess: '#237804', colorWarning: '#ad5700', colorError: '#cf1322' },
  dark: { colorSuccess: '#62b34a', colorWarning: '#e0a045', colorError: '#f0646c' },
} as const

export type Palette = {
  readonly mode: 'light' | 'dark'
  /** The chosen colour as it is: lines, bars, marks of focus. */
  readonly chosen: string
  /** A breath of it over the surface: behind what is chosen. */
  readonly tint: string
  /** Its nearest shade that can be read as text, also on its own tint. */
  readonly readable: string
  /** Its nearest shade on which white can be read: #1890ff gives white a contrast of 3.3, WCAG AA asks 4.5. */
  readonly filled: string
}

const LIGHT_TINT = 0.1
const DARK_TINT = 0.16

export function paletteOf({ colour, dark }: Pick<Settings, 'colour' | 'dark'>): Palette {
  const mode = dark ? 'dark' : 'light'
  const { container, raised, hover } = SURFACES[mode]
  const tint = mix(container, colour, dark ? DARK_TINT : LIGHT_TINT)
  const readable = readableOn([container, raised, hover, tint], colour)
  return { mode, chosen: colour, tint, readable, filled: readableOn(['#ffffff'], colour) }
}

/** The palette as variables, for what stands before antd is loaded: login, waiting, and a console that broke. */
export function variablesOf(palette: Palette): Record<string, string> {
  const { mode, chosen, readable, filled } = palette
  const { page, container, line, border } = SURFACES[mode]
  return {
    '--ink-page': page,
    '--ink-surface': container,
    '--ink-line': line,
    '--ink-border': border,
    '--ink-text': INK[mode],
    '--ink-quiet': QUIET[mode],
    '--ink-error': STATES[mode].colorError,
    '--ink-colour': chosen,
    '--ink-readable': readable,
    '--ink-filled': filled,
  }
}
