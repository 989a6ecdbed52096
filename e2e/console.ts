import { createHash, randomUUID } from 'node:crypto'
import { AxeBuilder } from '@axe-core/playwright'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Download,
  type Locator,
  type Page,
  type Request,
  type Response,
} from 'playwright-core'
import { expect, inject } from 'vitest'
import { TOKEN_HEADER, TOKEN_LIFE_MS } from '../src/kit/model/contract.ts'
import { formatInstant } from '../src/kit/model/time.ts'
import type { Settings } from '../src/kit/page/settings.ts'
import { DEMO_PASSWORD } from '../src/kit/server/auth/demo-account.ts'
import { secretOf, signatureOf } from '../src/kit/server/live/inbox-secret.ts'
import { CAPTCHA } from '../tools/testing/browser.ts'
import { note } from '../tools/testing/ledger.ts'
import { JOURNEY_PATIENCE_MS } from '../tools/testing/patience.ts'
import { BY_BANK, refundBody } from '../tools/testing/refunds.ts'

/** What a person has set on this machine, and with whose token they come. */
export type WindowOptions = Partial<Settings> & {
  token?: string
  /** A telephone: narrow, and worked with a thumb. */
  phone?: boolean
  /** Nothing of the console was ever loaded here. */
  isNew?: boolean
}

let browser: Browser | undefined
const contexts: BrowserContext[] = []
/** Profiles that were used before and forgot all of it but what they loaded: to read and compile the console anew is half of what a window costs. */
const forgotten: BrowserContext[] = []
const telephones = new WeakSet<BrowserContext>()
let complaints: string[] = []
/** What each window has asked for and not yet got. */
const underWay = new WeakMap<Page, Set<Request>>()

/** One browser for all journeys. */
export async function connectBrowser(): Promise<void> {
  browser ??= await chromium.connect(inject('browser'))
}

/** Keeps what the windows of a failed journey show. */
export async function photograph(journey: string): Promise<void> {
  const name = journey
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
  const pages = contexts.flatMap(context => context.pages())
  for (const [at, page] of pages.entries())
    await page.screenshot({ path: `.cache/journeys/${name}-${at + 1}.png` }).catch(() => {})
}

/** Closes every window of a journey and gives what they complained about. */
export async function closeWindows(): Promise<string[]> {
  await Promise.all(contexts.splice(0).map(putAway))
  const said = complaints
  complaints = []
  return said
}

async function putAway(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map(page => page.close()))
  await context.setOffline(false)
  forgotten.push(context)
}

/** A profile in which this is set, and nothing else was ever done. */
async function profile({ phone = false, isNew = false, ...options }: WindowOptions): Promise<BrowserContext> {
  if (!browser) throw new Error('there is no browser')
  const origins = [{ origin: inject('consoleUrl'), localStorage: remembered(options) }]
  const at = isNew ? -1 : forgotten.findIndex(context => telephones.has(context) === phone)
  const [used] = at === -1 ? [] : forgotten.splice(at, 1)
  if (used) {
    await used.setStorageState({ cookies: [], origins })
    return used
  }
  const context = await browser.newContext({
    ...(phone
      ? { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }
      : // Nothing slides but on the telephone: what must not be waited for is not waited for.
        { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' as const }),
    permissions: ['clipboard-read', 'clipboard-write'],
    storageState: { cookies: [], origins },
  })
  context.setDefaultTimeout(JOURNEY_PATIENCE_MS)
  if (phone) telephones.add(context)
  return context
}

/** A window at this path; whatever it logs as an error fails the journey. */
export async function openWindow(path: string, options: WindowOptions = {}): Promise<Page> {
  const context = await profile(options)
  contexts.push(context)
  const page = await context.newPage()
  page.on('console', message => {
    // A refused call or socket is part of many journeys; the browser notes each as an error of its own.
    if (message.type() === 'error' && !/^(?:Failed to load resource|WebSocket connection to)/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(String(error)))
  page.on('response', response => void keep(response))
  watchRequests(page)
  page.on('websocket', socket =>
    socket.on('framereceived', ({ payload }) => note('push', pushName(String(payload)), String(payload))),
  )
  await page.goto(`${inject('consoleUrl')}/#${path}`)
  return page
}

/** What a journey brings about on purpose is complained of, and no fault. */
export function expectComplaint(about: RegExp): void {
  expect(complaints.some(said => about.test(said))).toBe(true)
  complaints = complaints.filter(said => !about.test(said))
}

function watchRequests(page: Page): void {
  const open = new Set<Request>()
  underWay.set(page, open)
  page.on('request', request => {
    open.add(request)
    if (request.url().endsWith('/api/logout')) void forgetToken(request.headers()[TOKEN_HEADER])
  })
  page.on('requestfinished', request => open.delete(request))
  page.on('requestfailed', request => open.delete(request))
}

/** The page shows what it was asked for: nothing is under way, and nothing stands for what is to come. */
export async function isLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).filter({ visible: true }).first().waitFor()
  const waiting = page.locator('[aria-busy="true"], .ant-skeleton').filter({ visible: true })
  let quiet = 0
  await expect
    .poll(
      async () => {
        // What an answer brings is drawn with the next frame, and may ask for more.
        await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))))
        quiet = underWay.get(page)?.size === 0 && (await waiting.count()) === 0 ? quiet + 1 : 0
        return quiet
      },
      { timeout: JOURNEY_PATIENCE_MS, interval: 10 },
    )
    .toBeGreaterThan(1)
}

/** What the server answered to the page, for the ledger. */
async function keep(response: Response): Promise<void> {
  const { pathname } = new URL(response.url())
  if (!pathname.startsWith('/api/') || !response.headers()['content-type']?.startsWith('application/json')) return
  const where = `${response.request().method()} ${pathname.replaceAll(/\/(\d+|[0-9a-f]{8}-[0-9a-f-]{27})(?=\/|$)/g, '/:id')}`
  // A page that was left has thrown the body away.
  const body = await response.text().catch(() => '')
  note('answer', where, body)
}

const pushName = (payload: string): string => `push ${/"type":(\d+)/.exec(payload)?.[1] ?? ''}`

function remembered({ token, ...chosen }: Omit<WindowOptions, 'phone' | 'isNew'>) {
  const state = { language: 'en-US', ...chosen }
  const settings = { name: 'inkstone-settings', value: JSON.stringify({ state, version: 0 }) }
  if (token === undefined) return [settings]
  return [settings, { name: 'Access-Token', value: JSON.stringify({ token, until: Date.now() + TOKEN_LIFE_MS }) }]
}

/** A window of this demo account, signed in over the API: what is tested is not the login page. */
export const openAs = async (account: string, path = '/dashboard', options: WindowOptions = {}): Promise<Page> =>
  openWindow(path, { ...options, token: await tokenOf(account) })

const tokens = new Map<string, Promise<string>>()

/** A token of this demo account. All journeys share it: one that ends its session takes `signIn`. */
export function tokenOf(account: string): Promise<string> {
  const token = tokens.get(account) ?? signIn(account)
  tokens.set(account, token)
  // Who could not sign in now may do so later.
  token.catch(() => tokens.delete(account))
  return token
}

/** A window that signed out, of its own accord too (spec §8: when it cannot read who is signed in), took the session of all. */
async function forgetToken(ended: string | undefined): Promise<void> {
  for (const [account, token] of tokens) if ((await token.catch(() => ended)) === ended) tokens.delete(account)
}

export async function signIn(account: string, password: string = DEMO_PASSWORD): Promise<string> {
  const captcha = await call<{ key: string }>('GET', '/auth/captcha')
  return call<string>('POST', `/auth/login?verKey=${captcha.key}`, { username: account, password, captcha: CAPTCHA })
}

/** Fills in the login page and sends it. */
export async function fillLogin(page: Page, account: string, password = DEMO_PASSWORD, captcha = CAPTCHA) {
  await page.getByLabel('Account', { exact: true }).fill(account)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Verification code').fill(captcha)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

export async function call<T>(method: string, path: string, body?: unknown, token?: string): Promise<T> {
  const answer = await fetch(`${inject('consoleUrl')}/api${path}`, {
    method,
    headers: {
      'accept-language': 'en-US',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authtoken: token } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const envelope = (await answer.json()) as { code: number; msg: string; data: T }
  if (envelope.code !== 0) throw new Error(`${method} ${path}: ${envelope.msg}`)
  return envelope.data
}

/** The first records of a list, as this demo account sees them. */
export const list = async <T>(account: string, path: string): Promise<T[]> =>
  (await call<{ records: T[] }>('GET', path, undefined, await tokenOf(account))).records

/** An event of the app or a platform, through the signed door. */
export async function send(source: 'app' | 'douyin', type: string, data: object): Promise<void> {
  const body = JSON.stringify({ id: randomUUID(), type, data })
  const timestamp = String(Date.now())
  const answer = await fetch(`${inject('consoleUrl')}/api/open/v1/${source}/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-inkstone-timestamp': timestamp,
      'x-inkstone-signature': signatureOf(secretOf(inject('inboxSecret'), source), timestamp, body),
    },
    body,
  })
  expect(await answer.json()).toMatchObject({ code: 0 })
}

/** The tracking service tells that a parcel of SF Express was brought and signed for, under its signature. */
export async function tellSigned(trackingNo: string): Promise<void> {
  const at = (minutesAgo: number) => formatInstant(new Date(Date.now() - minutesAgo * 60_000))
  const data = [
    { ftime: at(1), context: '已签收，签收人：本人', statusCode: '301' },
    { ftime: at(30), context: '快递员正在派送', statusCode: '5' },
  ]
  const param = JSON.stringify({ lastResult: { com: 'shunfeng', nu: trackingNo, data } })
  const sign = createHash('md5')
    .update(`${param}${inject('trackingSalt')}`)
    .digest('hex')
    .toUpperCase()
  const answer = await fetch(`${inject('consoleUrl')}/api/open/v1/kuaidi100/push`, {
    method: 'POST',
    body: new URLSearchParams({ param, sign }),
  })
  expect(await answer.json()).toMatchObject({ result: true })
}

export type OrderFacts = {
  id: string
  orderNo: string
  memberId: string
  paidFen: number
  reservedFen: number
  refundedFen: number
  labels: { memberId?: { name: string } }
}

/** A paid order the sales demo account owns, with money left to refund. */
export async function paidOrder(): Promise<OrderFacts> {
  // Paid through a provider, so that the money can go back the way it came.
  const path = '/orders/order?payState=PAID&source=APP&size=100'
  const order = (await list<OrderFacts>('sales', path)).find(
    ({ paidFen, reservedFen, refundedFen }) => paidFen - reservedFen - refundedFen > 20_000,
  )
  if (!order) throw new Error('the demo business has no such order')
  return order
}

/** A refund this demo account asks for, to be paid by hand. */
export async function askRefund(orderId: string, amountFen: number, account: string): Promise<string> {
  const body = refundBody(orderId, amountFen, { reason: 'OTHER', ...BY_BANK })
  return (await call<{ id: string }>('POST', '/orders/refund-application', body, await tokenOf(account))).id
}

/** A chain decides about what is asked for before anybody does: until then the button of the manager is closed. */
export async function untilJudged(amountFen: number): Promise<void> {
  const path = `/orders/refund-application?status=SUBMITTED&amountFenBegin=${amountFen}&amountFenEnd=${amountFen}&size=100`
  const isClosed = async () => {
    const refunds = await list<{ steps: Record<string, unknown> }>('sales-manager-copy', path)
    return refunds.some(({ steps }) => steps.approve !== null)
  }
  await expect.poll(isClosed).toBe(false)
}

/** The drawer or window that lies on top. */
export const dialog = (page: Page): Locator => page.getByRole('dialog').last()

/** What is asked before a step is taken, never the drawer under it, which may have a button of the same name. */
export const question = (page: Page): Locator => page.locator('.ant-modal-confirm').filter({ visible: true }).last()

/** Chooses from a list: what is named, typed where one can type, or the first there is. */
export async function pick(form: Locator, label: string, option?: string): Promise<void> {
  const input = form.getByLabel(label, { exact: true })
  await input.click()
  if (option !== undefined && (await input.isEditable())) await input.fill(option)
  const open = '.ant-select-dropdown:visible'
  const options = form.page().locator(`${open} .ant-select-item-option, ${open} .ant-select-tree-node-content-wrapper`)
  await (option === undefined ? options : options.filter({ hasText: option })).first().click()
}

/** A row of a list, never its head. */
export const row = (page: Page, text: string): Locator =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .filter({ hasText: text })

/** A page's tab in the bar above it. */
export const tab = (page: Page, title: string): Locator =>
  page.getByRole('navigation', { name: 'Open pages' }).getByRole('link', { name: new RegExp(`${title}$`) })

/** Goes to another screen as a link would: without loading the console anew. */
export const follow = (page: Page, path: string): Promise<unknown> => page.goto(`${inject('consoleUrl')}/#${path}`)

/** Where the console stands: what follows the # in the address. */
export const place = (page: Page): string => new URL(page.url()).hash.slice(1)

export const isOnline = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Live connection: Online' }).waitFor()

export async function bytesOf(download: Download): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** What fades in has not its own colours yet. */
export const isStill = (page: Page): Promise<unknown> =>
  page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  )

/** Rules besides the usual ones. */
type Further = { readonly rules?: Record<string, { enabled: boolean }>; readonly within?: string }

/** Axe stays where it was brought until the page is loaded anew; to bring it twice a look costs a quarter of the look. */
const bringAxe = async (page: Page): Promise<{ axeSource?: string }> =>
  (await page.evaluate(() => 'axe' in window)) ? { axeSource: 'void 0' } : {}

/** What on the page hinders people who use a keyboard, a reader or strong contrast; one line each. */
export async function hindrances(page: Page, { rules = {}, within = 'html' }: Further = {}): Promise<string[]> {
  // What the pointer happens to rest on after the last click has nothing to say.
  await page.mouse.move(0, 0)
  await isStill(page)
  const { violations } = await new AxeBuilder({ page, ...(await bringAxe(page)) })
    .include(within)
    // What is right needs no description, and no rule of ours asks for the style sheets: half the time.
    .options({ rules, resultTypes: ['violations'], preload: false })
    // Legacy is what axe calls a page without frames: it then needs no second window.
    .setLegacyMode(true)
    .analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, target, any, all }) => {
      const why = [...any, ...all][0]?.message ?? ''
      return `${id} at ${target.join(' ')}: ${why} ${html.slice(0, 160)}`
    }),
  )
}
