import { ConfigProvider } from 'antd'
import type { Locale } from 'antd/es/locale'
import dayjs from 'dayjs'
import { type ReactNode, useEffect, useState } from 'react'
import type { Language } from '#kit/model/language.ts'
import { useLanguage } from '../language.ts'

type Loaded = { language: Language; antd: Locale }

/** antd's and dayjs' own words, one language at a time. */
const WORDS: Readonly<Record<Language, () => Promise<{ antd: Locale; day: string }>>> = {
  'zh-CN': async () => ({
    antd: (await import('antd/es/locale/zh_CN')).default,
    day: (await import('dayjs/locale/zh-cn')).default.name,
  }),
  'zh-TW': async () => ({
    antd: (await import('antd/es/locale/zh_TW')).default,
    day: (await import('dayjs/locale/zh-tw')).default.name,
  }),
  'en-US': async () => ({ antd: (await import('antd/es/locale/en_US')).default, day: 'en' }),
  'pt-BR': async () => ({
    antd: (await import('antd/es/locale/pt_BR')).default,
    day: (await import('dayjs/locale/pt-br')).default.name,
  }),
}

/** Gives antd the language on screen. The former one stays until the new one is there, so that nothing flickers. */
export function LocalAntd({ children }: { children: ReactNode }) {
  const language = useLanguage()
  const [loaded, setLoaded] = useState<Loaded>()

  useEffect(
    function loadWords() {
      let isCurrent = true
      void WORDS[language]().then(({ antd, day }) => {
        if (!isCurrent) return
        dayjs.locale(day)
        setLoaded({ language, antd })
      })
      return () => {
        isCurrent = false
      }
    },
    [language],
  )
  if (!loaded) return null
  return <ConfigProvider locale={loaded.antd}>{children}</ConfigProvider>
}
