import { useLayoutEffect } from 'react'
import { useSettings } from '../../settings.ts'
import { paletteOf, variablesOf } from './surfaces.ts'

/** Puts the person's colours on the document itself, with or without antd. */
export function useDocumentColours(): void {
  const colour = useSettings(settings => settings.colour)
  const dark = useSettings(settings => settings.dark)
  const weakMode = useSettings(settings => settings.weakMode)
  useLayoutEffect(
    function colourTheDocument() {
      const root = document.documentElement
      root.classList.toggle('ink-dark', dark)
      root.classList.toggle('ink-weak', weakMode)
      root.style.colorScheme = dark ? 'dark' : 'light'
      for (const [name, value] of Object.entries(variablesOf(paletteOf({ colour, dark }))))
        root.style.setProperty(name, value)
    },
    [colour, dark, weakMode],
  )
}
