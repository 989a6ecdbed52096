import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { resetStores } from '../../../../../tools/testing/console.tsx'
import { answerCalls } from '../../../../../tools/testing/page.tsx'
import { ChunkTimeout, loadAhead, loadChunk } from '../../chunk.ts'
import { type Announcement, hear } from '../notice/announce.ts'
import { checkVersion, isReplaced, watchVersion } from './new-version.ts'

const PART = 'https://console.test/assets/page-1.js'
const failed = new TypeError(`Failed to fetch dynamically imported module: ${PART}`)
const served = (answers: Record<string, Response | Error>) =>
  vi.stubGlobal('fetch', async (address: string) => {
    const answer = answers[address]
    if (!(answer instanceof Response)) throw answer ?? new TypeError('away')
    return answer.clone()
  })
const page = (script: string) =>
  new Response(`<script type="module" src="${script}"></script>`, { headers: { 'content-type': 'text/html' } })

describe('a new version', () => {
  const said: Announcement[] = []
  const reload = vi.fn()
  let silence = () => {}
  beforeEach(() => {
    resetStores()
    said.length = 0
    silence = hear(announcement => said.push(announcement))
    // A script element would be loaded.
    vi.spyOn(document, 'querySelector').mockReturnValue({ getAttribute: () => '/assets/index-1.js' } as never)
  })
  afterEach(() => silence())
  const watch = () =>
    watchVersion(() => ({ title: 'A new version', text: 'Refresh', refresh: 'Refresh', close: 'Close' }), reload)

  test('a part that is HTML or missing, or a page that begins otherwise, means the console was replaced', async () => {
    served({ [PART]: page('x'), '/': page('/assets/index-1.js') })
    expect(await isReplaced(failed)).toBe(true)
    served({ [PART]: new Response('', { status: 404 }), '/': page('/assets/index-1.js') })
    expect(await isReplaced(failed)).toBe(true)
    served({
      [PART]: new Response('export {}', { headers: { 'content-type': 'text/javascript' } }),
      '/': page('/assets/index-2.js'),
    })
    expect(await isReplaced(failed)).toBe(true)
  })

  test('a network that is away does not', async () => {
    served({})
    expect(await isReplaced(failed)).toBe(false)
    served({
      [PART]: new Response('export {}', { headers: { 'content-type': 'text/javascript' } }),
      '/': page('/assets/index-1.js'),
    })
    expect(await isReplaced(failed)).toBe(false)
  })

  test('a part that cannot be loaded raises the notice with refresh and close, once', async () => {
    watch()
    served({ [PART]: page('x'), '/': page('/assets/index-1.js') })
    await expect(loadChunk(() => Promise.reject(failed))).rejects.toThrow(failed)
    await vi.waitFor(() => expect(said).toHaveLength(1))
    expect(said[0]).toMatchObject({ key: 'new-version', stays: true })
    expect(said[0]?.actions?.map(({ label }) => label)).toEqual(['Refresh', 'Close'])
    said[0]?.actions?.[1]?.run()
    expect(reload).not.toHaveBeenCalled()
    said[0]?.actions?.[0]?.run()
    expect(reload).toHaveBeenCalledTimes(1)
  })

  test('a server of another version raises it too; the same version does not', async () => {
    const settings = { defaultLocale: 'en-US', reconnectFactor: 1.2, captcha: true, demoAccounts: [] }
    let version = '1'
    answerCalls({ 'GET /api/common/settings': () => ({ ...settings, version }) })
    watch()
    await checkVersion()
    expect(said).toEqual([])
    version = '2'
    await checkVersion()
    expect(said).toHaveLength(1)
  })

  test('nothing is loaded before it is asked for while there is no network: what fails then would stay away', () => {
    const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    const load = vi.fn(async () => {})
    loadAhead(load)
    expect(load).not.toHaveBeenCalled()
    network.mockReturnValue(true)
    loadAhead(load)
    expect(load).toHaveBeenCalledTimes(1)
  })

  test('loading a part is given up after 120 seconds', async () => {
    vi.useFakeTimers()
    served({})
    const given = loadChunk(() => new Promise(() => {})).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(119_999)
    const waiting = Symbol('waiting')
    expect(await Promise.race([given, Promise.resolve(waiting)])).toBe(waiting)
    await vi.advanceTimersByTimeAsync(1)
    expect(await given).toBeInstanceOf(ChunkTimeout)
  })
})
