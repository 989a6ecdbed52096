import { type MappingAlgorithm, type ThemeConfig, theme } from 'antd'
import { INK, type Palette, QUIET, STATES, SURFACES } from './surfaces.ts'

/** The navigation keeps its own surface in both themes. */
const NAV = { surface: '#12171e', text: '#c3ccd6', chosen: '#ffffff' } as const
const PLACEHOLDER = { light: '#6b7280', dark: '#8a949f' } as const

/** The key of antd's variables: a class on the root element makes them reach our own style sheet. */
export const VARIABLES = 'ink'

export const FONT =
  '-apple-system, BlinkMacSystemFont, "Segoe UI", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", "Helvetica Neue", Arial, sans-serif'

/** What is filled in or pressed with a thumb is no lower than this. */
const THUMB_HEIGHT = 40

/** Text and filled buttons use the readable shades of the chosen colour; bars and switches the colour as it is. */
export function themeOf(palette: Palette, stillness: boolean, isPhone = false): ThemeConfig {
  const { mode, chosen, filled } = palette
  const { page, container, raised, line, border } = SURFACES[mode]
  return {
    algorithm: [mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm, exact(palette)],
    cssVar: { key: VARIABLES },
    hashed: false,
    token: {
      ...STATES[mode],
      colorPrimary: chosen,
      colorInfo: chosen,
      colorBgLayout: page,
      colorBgContainer: container,
      colorBgElevated: raised,
      colorBorder: border,
      colorBorderSecondary: line,
      colorText: INK[mode],
      colorTextSecondary: QUIET[mode],
      // antd's own are too faint for text: descriptions, placeholders and units are read as well.
      colorTextTertiary: QUIET[mode],
      colorTextDescription: QUIET[mode],
      colorTextPlaceholder: PLACEHOLDER[mode],
      borderRadius: 6,
      fontSize: 14,
      fontFamily: FONT,
      fontFamilyCode: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
      ...(isPhone ? { controlHeight: THUMB_HEIGHT } : {}),
      motion: !stillness,
      motionUnit: 0.08,
    },
    components: componentsOf(palette, chosen, filled),
  }
}

/** Of seeds dark enough to be read antd makes grounds that look soiled. */
const LIGHT_GROUNDS = {
  colorSuccessBg: '#f6ffed',
  colorSuccessBorder: '#b7eb8f',
  colorWarningBg: '#fffbe6',
  colorWarningBorder: '#ffe58f',
  colorErrorBg: '#fff2f0',
  colorErrorBorder: '#ffccc7',
}

/** antd makes shades of its own out of a seed; where text is read, ours are the ones that were measured. */
const exact =
  ({ mode, readable, tint }: Palette): MappingAlgorithm =>
  (_seed, map) => {
    const { colorSuccess, colorWarning, colorError } = STATES[mode]
    return {
      ...(map as ReturnType<MappingAlgorithm>),
      colorPrimary: readable,
      colorPrimaryBg: tint,
      colorPrimaryText: readable,
      colorPrimaryHover: readable,
      colorLink: readable,
      colorLinkHover: readable,
      colorInfo: readable,
      colorSuccess,
      colorSuccessText: colorSuccess,
      colorWarning,
      colorWarningText: colorWarning,
      colorError,
      colorErrorText: colorError,
      ...(mode === 'light' ? LIGHT_GROUNDS : {}),
    }
  }

const componentsOf = ({ mode }: Palette, chosen: string, filled: string): NonNullable<ThemeConfig['components']> => ({
  Button: {
    colorPrimary: filled,
    colorPrimaryHover: filled,
    colorPrimaryActive: filled,
    // The dark theme's red is light, to be read as text; on it, text is dark.
    ...(mode === 'dark' ? { dangerColor: '#1a0708' } : {}),
    primaryShadow: 'none',
    dangerShadow: 'none',
    defaultShadow: 'none',
  },
  Badge: { colorError: STATES.light.colorError },
  Checkbox: { colorPrimary: filled },
  DatePicker: { colorPrimary: filled },
  // Beside a question of 560 px in a window of 1280.
  Notification: { width: 336 },
  Radio: { buttonSolidCheckedBg: filled },
  Switch: { colorPrimary: filled },
  Tabs: { inkBarColor: chosen, horizontalItemPadding: '8px 0' },
  Table: { cellPaddingBlockMD: 8, cellPaddingBlockSM: 4 },
  Menu: {
    itemHeight: 36,
    itemMarginBlock: 2,
    itemBorderRadius: 6,
    subMenuItemBorderRadius: 6,
    activeBarBorderWidth: 0,
    darkItemBg: NAV.surface,
    darkSubMenuItemBg: NAV.surface,
    darkPopupBg: NAV.surface,
    darkItemColor: NAV.text,
    darkItemHoverBg: 'rgba(255, 255, 255, 0.07)',
    darkItemSelectedBg: filled,
    darkItemSelectedColor: NAV.chosen,
  },
})
