import { readFileSync } from 'node:fs'
import * as z from 'zod'
import type { App } from '../app.ts'
import { type Route, route } from '../http/route.ts'
import { findDemoAccounts } from './demo-account.ts'

const VERSION: string = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')).version

/** What the console must know before anybody has signed in. */
export const publicSettingsRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: '/common/settings',
    access: 'public',
    answer: z.strictObject({
      defaultLocale: z.enum(['zh-CN', 'en-US']),
      reconnectFactor: z.number(),
      captcha: z.boolean(),
      version: z.string(),
      demoAccounts: z.array(z.strictObject({ account: z.string(), role: z.string(), password: z.string() })),
    }),
    summary: 'Settings the console needs before sign-in; demo accounts only with demo data.',
    handle: async () => ({
      defaultLocale: app.env.DEFAULT_LOCALE,
      reconnectFactor: app.env.RECONNECT_FACTOR,
      captcha: app.env.CAPTCHA !== 'off',
      version: VERSION,
      demoAccounts: await findDemoAccounts(app),
    }),
  })
