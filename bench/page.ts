import { type Browser, chromium } from 'playwright-core'
import { TOKEN_LIFE_MS } from '#kit/model/contract.ts'
import { buildConsole } from '../tools/bring.mjs'
import { ALONE, findChromium } from '../tools/chromium.mjs'
import { startCompanion } from './companion.ts'
import { medianOf, oneDigit, ratio, shuffled, table, verdictOf, verdicts, whole } from './figures.ts'
import { type Ground, onDatabase, signIn } from './ground.ts'
import { startServer } from './server.ts'

/** 40 ms until a request is answered, 4 Mbit/s: a home with several at the same line, or a telephone. */
const LINE = { offline: false, latency: 40, downloadThroughput: 500_000, uploadThroughput: 500_000 }
const COLD_GOAL = 2
const PATIENCE_MS = 120_000

type Case = {
  readonly name: string
  readonly path: string
  /** What is in the page when people can read what they came for. */
  readonly stands: string
  readonly isSignedIn: boolean
}
type Seen = { readonly ms: number; readonly bytes: number }
/** By somebody who has never been there, and by somebody who comes again. */
type Visits = { readonly cold: Seen; readonly warm: Seen }
type Round = Visits & { readonly bareCold: Seen; readonly bareWarm: Seen }

const casesOf = (memberId: string): Case[] => [
  { name: 'login', path: '/', stands: 'input[autocomplete="username"]', isSignedIn: false },
  { name: 'list of orders', path: '/#/order/list', stands: '.ant-table-row', isSignedIn: true },
  { name: 'statistic of refunds', path: '/#/order/refundCount', stands: '.ink-cards', isSignedIn: true },
  { name: 'one member', path: `/#/members/list/${memberId}`, stands: '.inkstone-facts', isSignedIn: true },
]

/** How long pages take on a line as people have it, until their rows stand, and how many bytes: in Chromium, first and again. */
export async function measurePage({ settings, folder, database }: Ground): Promise<string> {
  buildConsole(process.execPath)
  const url = await database(settings.small)
  await using opened = new AsyncDisposableStack()
  const server = opened.use(await startServer({ url, port: settings.port, folder }))
  const bare = opened.use(startCompanion('./page-bare.ts'))
  const bareOrigin = `http://127.0.0.1:${await bare.ask<number>({})}`
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? findChromium(), args: ALONE })
  opened.defer(() => browser.close())
  const token = await signIn(url, 'SUPER_ADMIN')
  const cases = casesOf(await someMember(url))
  const origin = `http://${server.host}`
  const rounds = new Map<string, Round[]>(cases.map(({ name }) => [name, []]))
  // The first round is for the compilers and caches of all processes and does not count.
  for (let round = 0; round <= settings.rounds; round += 1) {
    for (const each of shuffled(cases)) {
      const visits = await visitTwice(browser, { ...each, origin, token: each.isSignedIn ? token : undefined })
      const alone = async ({ bytes }: Seen) =>
        (await visitTwice(browser, { origin: bareOrigin, path: `/page/${bytes}`, stands: '#stands', token: undefined }))
          .cold
      const figures = { ...visits, bareCold: await alone(visits.cold), bareWarm: await alone(visits.warm) }
      if (round > 0) rounds.get(each.name)?.push(figures)
    }
    console.error(`page: round ${round} of ${settings.rounds}`)
  }
  return report(rounds, settings)
}

const someMember = (url: string): Promise<string> =>
  onDatabase(url, async client => {
    const { rows } = await client.query(
      `select id::text as id from member where status <> 'CLOSED' order by id desc limit 1`,
    )
    if (!rows[0]) throw new Error('nobody to look at')
    return rows[0].id
  })

type Visit = {
  readonly origin: string
  readonly path: string
  readonly stands: string
  readonly token: string | undefined
}

/** In a window of its own that has nothing kept, and then again from an empty page. */
async function visitTwice(browser: Browser, { origin, path, stands, token }: Visit): Promise<Visits> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 720 },
    storageState: { cookies: [], origins: [{ origin, localStorage: remembered(token) }] },
  })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.addInitScript(watchFor, stands)
    const line = await context.newCDPSession(page)
    await line.send('Network.enable')
    await line.send('Network.emulateNetworkConditions', LINE)
    let bytes = 0
    // As they came over the line, heads of answers among them; what was kept counts nothing.
    line.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    const visit = async (): Promise<Seen> => {
      await page.goto('about:blank')
      bytes = 0
      await page.goto(`${origin}${path}`, { waitUntil: 'commit' })
      const stood = await page.waitForFunction(() => (globalThis as Watched).inkStoodAt)
      return { ms: Number(await stood.jsonValue()), bytes: Math.round(bytes) }
    }
    return { cold: await visit(), warm: await visit() }
  } finally {
    await context.close()
  }
}

type Watched = { inkStoodAt?: number }

/** Runs in the page before anything of it does: notes when what is waited for was drawn, since the address was asked for. */
function watchFor(selector: string): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(selector)) return
    observer.disconnect()
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        ;(globalThis as Watched).inkStoodAt = performance.now()
      }),
    )
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** What a browser in which somebody is signed in remembers. */
function remembered(token: string | undefined) {
  const settings = {
    name: 'inkstone-settings',
    value: JSON.stringify({ state: { language: 'zh-CN' }, version: 0 }),
  }
  if (token === undefined) return [settings]
  return [settings, { name: 'Access-Token', value: JSON.stringify({ token, until: Date.now() + TOKEN_LIFE_MS }) }]
}

function report(rounds: ReadonlyMap<string, readonly Round[]>, settings: Ground['settings']): string {
  const lines = [...rounds].flatMap(([name, of]) =>
    (['cold', 'warm'] as const).map(visit => {
      const bare = visit === 'cold' ? 'bareCold' : 'bareWarm'
      return {
        name: `${name}, ${visit === 'cold' ? 'the first time' : 'again'}`,
        isCold: visit === 'cold',
        ms: medianOf(of, round => round[visit].ms),
        kilobytes: medianOf(of, round => round[visit].bytes) / 1_000,
        bareMs: medianOf(of, round => round[bare].ms),
      }
    }),
  )
  return [
    '#### A page at 40 ms and 4 Mbit/s, until what people came for stands',
    '',
    table(
      ['', 'ms', 'KB over the line', 'as many bytes alone, ms', 'ratio'],
      lines.map(({ name, ms, kilobytes, bareMs }) => [
        name,
        whole(ms),
        oneDigit(kilobytes),
        whole(bareMs),
        ratio(ms, bareMs),
      ]),
    ),
    '',
    ...verdicts(
      settings,
      lines.flatMap(({ name, isCold, ms, bareMs }) =>
        isCold
          ? [
              verdictOf(
                `${name}, against as many bytes alone`,
                { ours: ms, baseline: bareMs, unit: 'ms' },
                { atMost: COLD_GOAL },
              ),
            ]
          : [],
      ),
    ),
  ].join('\n')
}
