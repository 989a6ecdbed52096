import { ConfigProvider } from 'antd'
import type { Locale } from 'antd/es/locale'
import { type ReactNode, useEffect, useState } from 'react'
import type { Language } from '#kit/model/language.ts'
import { loadChunk } from '../../chunk.ts'
import { useLanguage } from '../../language.ts'

type Loaded = { locale?: Locale }

/** antd's own words, one language at a time. */
const WORDS: Readonly<Record<Language, () => Promise<{ default: Locale }>>> = {
  'zh-CN': () => import('antd/es/locale/zh_CN'),
  'zh-TW': () => import('antd/es/locale/zh_TW'),
  'en-US': () => import('antd/es/locale/en_US'),
  'pt-BR': () => import('antd/es/locale/pt_BR'),
}

/** Gives antd the language on screen. The former one stays until the new one is there, so that nothing flickers. */
export function LocalAntd({ children }: { children: ReactNode }) {
  const language = useLanguage()
  const [loaded, setLoaded] = useState<Loaded>()

  useEffect(
    function loadWords() {
      let isCurrent = true
      loadChunk(WORDS[language]).then(
        ({ default: locale }) => isCurrent && setLoaded({ locale }),
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
