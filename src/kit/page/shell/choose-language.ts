import { NOTICE_SECONDS } from '#kit/model/contract.ts'
import type { Language } from '#kit/model/language.ts'
import { say, switchLanguage } from '../language.ts'
import { changeSettings } from '../settings.ts'
import { announce } from './announce.ts'

/** Speaks another language and remembers it; one whose texts cannot be loaded is not taken. */
export async function chooseLanguage(language: Language): Promise<void> {
  try {
    await switchLanguage(language)
    changeSettings({ language })
  } catch {
    const title = say('kit/page/shell', 'chunk-failed')
    announce({
      key: 'chunk',
      kind: 'warning',
      title,
      description: say('kit/page/shell', 'chunk-failed-text'),
      seconds: 4 * NOTICE_SECONDS,
    })
  }
}
