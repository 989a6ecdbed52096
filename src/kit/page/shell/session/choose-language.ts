import type { Language } from '#kit/model/language.ts'
import { switchLanguage } from '../../language.ts'
import { changeSettings } from '../../settings.ts'
import { announceMissing } from './new-version.ts'

/** Speaks another language and remembers it; one whose texts cannot be loaded is not taken. */
export async function chooseLanguage(language: Language): Promise<void> {
  try {
    await switchLanguage(language)
    changeSettings({ language })
  } catch (error) {
    await announceMissing(error)
  }
}
