import { App } from 'antd'
import { NOTICE_SECONDS } from '#kit/model/contract.ts'
import { useTexts } from './language.ts'
import type { locale } from './locale.ts'

/** Copies a text and says whether it worked (spec §8). Never for personal data. */
export function useCopy(): (text: string) => Promise<void> {
  const say = useTexts<typeof locale>('kit/page')
  const { message } = App.useApp()
  return async text => {
    if (await writeClipboard(text)) void message.success(say('copy-ok'), NOTICE_SECONDS)
    else void message.error(say('copy-failed'), NOTICE_SECONDS)
  }
}

export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** Plain http (an intranet without certificates) has no clipboard API: a selected text can still be copied. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.setAttribute('readonly', '')
  field.style.cssText = 'position:fixed;opacity:0'
  document.body.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
  }
}
