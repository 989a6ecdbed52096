import { type ChildProcess, spawn } from 'node:child_process'
import { createServer as createService } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { buildConsole } from '../bring.mjs'
import { ALONE, findChromium } from '../chromium.mjs'
import { demoFolder, isOfLog } from './demo-folder.ts'
import { note } from './ledger.ts'
import { freePort } from './port.ts'
import { openRunFolder } from './run-folder.mjs'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the console under test answers. */
    consoleUrl: string
    /** Where it keeps its data, for the commands of whoever runs it. */
    dataDir: string
    /** Where the browser of all journeys is reached. */
    browser: string
    inboxSecret: string
    /** What the tracking service signs its pushes with. */
    trackingSalt: string
  }
}

/** Some seconds; on cores many times too busy, minutes. */
const READY_MS = 300_000
export const CAPTCHA = 'INK8'
const INBOX_SECRET = 'journeys-inbox-secret'
const TRACKING_SALT = 'journeys-tracking-salt'

/** What Playwright switches off: of several lists Chromium reads the last, which is ours. */
const SWITCHED_OFF = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]
/** The list under the address bar is a page of its own in every window: a second of processor time, and nobody types there. */
const NEVER_SEEN = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

const FLAGS = [
  ...ALONE,
  // A microphone that hums, and nobody who has to say yes to it.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--disable-features=${[...SWITCHED_OFF, ...NEVER_SEEN].join()}`,
]

/** One console with the demo business for all journeys, started as a person would start it again. */
export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  buildConsole(process.execPath)
  const folder = openRunFolder('inkstone-journeys')
  await demoFolder(folder.path)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const tracking = await openTrackingService()
  const child = spawn(process.execPath, ['src/server.ts'], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder.path,
      SEED: 'demo',
      SIMULATE: 'off',
      CAPTCHA: `fixed:${CAPTCHA}`,
      INBOX_SECRET,
      KUAIDI100_URL: tracking.url,
      KUAIDI100_CUSTOMER: 'journeys',
      KUAIDI100_KEY: 'journeys-tracking-key',
      KUAIDI100_SALT: TRACKING_SALT,
      KUAIDI100_CALLBACK_URL: `${url}/api/open/v1/kuaidi100/push`,
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.pid) folder.take(child.pid)
  keepLog(child)
  await ready(child, url)
  const browser = await chromium.launchServer({ executablePath: process.env.CHROMIUM ?? findChromium(), args: FLAGS })
  project.provide('consoleUrl', url)
  project.provide('dataDir', folder.path)
  project.provide('browser', browser.wsEndpoint())
  project.provide('inboxSecret', INBOX_SECRET)
  project.provide('trackingSalt', TRACKING_SALT)
  return async () => {
    await browser.close()
    const ended = new Promise(done => child.once('exit', done))
    child.kill('SIGTERM')
    await ended
    await tracking.close()
    await folder.close()
  }
}

/** Stands in for the tracking service: it follows every parcel and, when asked, knows nothing. Journeys push in its name. */
async function openTrackingService(): Promise<{ url: string; close(): Promise<unknown> }> {
  const service = createService((_request, response) =>
    response.end(JSON.stringify({ result: true, returnCode: '200', message: '成功', data: [] })),
  )
  const port = await freePort()
  await new Promise<void>(listening => service.listen(port, '127.0.0.1', listening))
  const close = () => {
    service.closeAllConnections()
    return new Promise(closed => service.close(closed))
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

/** Its log goes into the ledger. */
function keepLog(child: ChildProcess): void {
  if (!child.stdout) return
  createInterface({ input: child.stdout }).on('line', line => {
    if (isOfLog(line)) note('log', 'log', line)
  })
}

async function ready(child: ChildProcess, url: string): Promise<void> {
  const until = Date.now() + READY_MS
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error(`the console ended with ${child.exitCode} before it was ready`)
    const answer = await fetch(`${url}/ready`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(100)
  }
  throw new Error('the console was not ready in time')
}
