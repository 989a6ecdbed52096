import { ConfigProvider } from 'antd'
import type { Locale } from 'antd/es/locale'
import { type ReactNode, useEffect, useState } from 'react'
import { useLanguage } from '../../language.ts'
import { loadWords } from './antd-words.ts'

type Loaded = { locale?: Locale }

/** Gives antd the language on screen. The former one stays until the new one is there, so that nothing flickers. */
export function LocalAntd({ children }: { children: ReactNode }) {
  const language = useLanguage()
  const [loaded, setLoaded] = useState<Loaded>()

  useEffect(
    function speakAntd() {
      let isCurrent = true
      loadWords(language).then(
        locale => isCurrent && setLoaded({ locale }),
        // Better the former words, or English ones, than no console.
        () => setLoaded(before => before ?? {}),
      )
      return () => {
        isCurrent = false
      }
    },
    [language],
  )
  if (!loaded) return null
  return <ConfigProvider {...loaded}>{children}</ConfigProvider>
}
