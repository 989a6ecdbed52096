import { randomUUID } from 'node:crypto'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, expect, inject } from 'vitest'
import { DEMO_PASSWORD } from '../src/kit/server/auth/demo-account.ts'
import { secretOf, signatureOf } from '../src/kit/server/live/inbox-secret.ts'
import { CAPTCHA } from '../tools/testing/browser.ts'

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let browser: Browser | undefined
const contexts: BrowserContext[] = []
let complaints: string[] = []

export const url = (path = ''): string => `${inject('consoleUrl')}/#${path}`

/** A window of somebody who is not signed in; whatever it logs as an error fails the test. */
export async function openWindow(options: { width?: number; language?: string } = {}): Promise<Page> {
  browser ??= await chromium.launch({ executablePath: inject('chromium'), args: FLAGS })
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  contexts.push(context)
  const page = await context.newPage()
  await page.addInitScript(language => {
    if (!localStorage.getItem('inkstone-settings'))
      localStorage.setItem('inkstone-settings', JSON.stringify({ state: { language }, version: 0 }))
  }, options.language ?? 'en-US')
  page.on('console', message => {
    // A refused call is part of many journeys; the browser notes each as an error of its own.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(String(error)))
  return page
}

/** The token of a demo account, got over the API: what is tested here is not the login page. */
export async function tokenOf(account: string): Promise<string> {
  const captcha = await call<{ key: string }>('GET', '/auth/captcha')
  return call<string>('POST', `/auth/login?verKey=${captcha.key}`, {
    username: account,
    password: DEMO_PASSWORD,
    captcha: CAPTCHA,
  })
}

export async function call<T>(method: string, path: string, body?: unknown, token?: string): Promise<T> {
  const answer = await fetch(`${inject('consoleUrl')}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authtoken: token } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const envelope = (await answer.json()) as { code: number; msg: string; data: T }
  if (envelope.code !== 0) throw new Error(`${method} ${path}: ${envelope.msg}`)
  return envelope.data
}

/** A window signed in as this demo account, at this path. */
export async function openAs(
  account: string,
  path = '/dashboard',
  options: Parameters<typeof openWindow>[0] = {},
): Promise<Page> {
  const page = await openWindow(options)
  const token = await tokenOf(account)
  await page.goto(url('/user/login'))
  await page.evaluate(
    value => localStorage.setItem('Access-Token', JSON.stringify({ token: value, until: Date.now() + 604_800_000 })),
    token,
  )
  await page.goto(url(path))
  await page.reload()
  return page
}

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

/** Nothing on the page hinders people who use a keyboard, a reader or strong contrast. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html.slice(0, 160)).join(' | ')}`)).toEqual(
    [],
  )
}

afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
  const said = complaints
  complaints = []
  expect(said).toEqual([])
})

afterAll(async () => {
  await browser?.close()
  browser = undefined
})
