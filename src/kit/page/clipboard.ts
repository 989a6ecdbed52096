import { App } from 'antd'
import { NOTICE_SECONDS } from '#kit/model/contract.ts'
import { useTexts } from './language.ts'
import type { locale } from './locale.ts'
import { writeClipboard } from './write-clipboard.ts'

/** Copies a text and says whether it worked (spec §8). Never for personal data. */
export function useCopy(): (text: string) => Promise<void> {
  const say = useTexts<typeof locale>('kit/page')
  const { message } = App.useApp()
  return async text => {
    if (await writeClipboard(text)) void message.success(say('copy-ok'), NOTICE_SECONDS)
    else void message.error(say('copy-failed'), NOTICE_SECONDS)
  }
}
