import { onChunkFailure } from '../../chunk.ts'
import { say } from '../../language.ts'
import { loadServerSettings, useServerSettings } from '../../server-settings.ts'
import { announce } from '../notice/announce.ts'

type Texts = { title: string; text: string; refresh: string; close: string }

let tell = (): void => {}

/**
 * Tells when another version of the console is being served (spec §8): a part of this one that is no longer there, or a
 * version that is not the one we started with. Reloading is the reader's choice: something may be half typed.
 */
export function watchVersion(texts: () => Texts, reload: () => void): void {
  tell = () => {
    const { title, text, refresh, close } = texts()
    announce({
      key: 'new-version',
      kind: 'info',
      title,
      description: text,
      stays: true,
      actions: [
        { label: refresh, primary: true, run: reload },
        { label: close, run: () => {} },
      ],
    })
  }
  onChunkFailure(async error => {
    if (await isReplaced(error)) tell()
  })
}

/** Asks the server which version it is; called when the connection or the reader comes back. */
export async function checkVersion(): Promise<void> {
  const started = useServerSettings.getState().settings?.version
  try {
    const { version } = await loadServerSettings()
    if (started !== undefined && version !== started) tell()
  } catch {
    // Unreachable is the live indicator's business.
  }
}

/** A part that is missing without the console having been replaced: the network, most likely. */
export async function announceMissing(error: unknown): Promise<void> {
  if (await isReplaced(error)) return
  announce({
    key: 'missing-part',
    kind: 'warning',
    title: say('kit/page/shell', 'chunk-failed'),
    description: say('kit/page/shell', 'chunk-failed-text'),
    actions: [{ label: say('kit/page/shell', 'new-version-refresh'), primary: true, run: () => location.reload() }],
  })
}

/** Whether a part is gone rather than unreachable: HTML or nothing in its place, or a page that begins with another script. */
export async function isReplaced(error: unknown): Promise<boolean> {
  const [part] = /https?:\/\/\S+/.exec(String(error)) ?? []
  try {
    if (part) {
      const answer = await fetch(part, { cache: 'no-store' })
      if (answer.status === 404 || answer.headers.get('content-type')?.includes('html')) return true
    }
    const own = document.querySelector('script[type="module"][src]')?.getAttribute('src')
    const page = await (await fetch('/', { cache: 'no-store' })).text()
    return own != null && !page.includes(own)
  } catch {
    return false
  }
}
