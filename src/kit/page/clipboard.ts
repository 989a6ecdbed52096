import { useTexts } from './language.ts'
import type { locale } from './locale.ts'
import { useNotices } from './notice.tsx'
import { writeClipboard } from './write-clipboard.ts'

/** Copies a text and says whether it worked (spec §8). Never for personal data. */
export function useCopy(): (text: string) => Promise<void> {
  const say = useTexts<typeof locale>('kit/page')
  const notices = useNotices()
  return async text => {
    if (await writeClipboard(text)) notices.done(say('copy-ok'))
    else notices.failed(null, say('copy-failed'))
  }
}
