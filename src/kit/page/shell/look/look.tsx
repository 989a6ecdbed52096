import { ConfigProvider } from 'antd'
import { type ReactNode, useLayoutEffect, useMemo } from 'react'
import { useSettings } from '../../settings.ts'
import { useMedia } from './media.ts'
import { paletteOf } from './surfaces.ts'
import { themeOf, VARIABLES } from './theme.ts'

/** antd in the person's theme. Its variables reach our own style sheet by a class on the root element. */
export function Look({ children }: { children: ReactNode }) {
  const colour = useSettings(settings => settings.colour)
  const dark = useSettings(settings => settings.dark)
  const stillness = useMedia('(prefers-reduced-motion: reduce)')
  const isPhone = useMedia('(max-width: 767.98px)')
  const theme = useMemo(
    () => themeOf(paletteOf({ colour, dark }), stillness, isPhone),
    [colour, dark, stillness, isPhone],
  )
  useLayoutEffect(function shareVariables() {
    document.documentElement.classList.add(VARIABLES)
  }, [])
  return (
    // Two signs of a button stand together as three do.
    <ConfigProvider theme={theme} button={{ autoInsertSpace: false }}>
      {children}
    </ConfigProvider>
  )
}
