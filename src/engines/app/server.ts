import type { App } from '#kit/server/app.ts'
import { secretOf } from '#kit/server/live/inbox-secret.ts'
import { appOverHttp } from './http.server.ts'
import type { AppDoor } from './port.server.ts'
import { simulatedApp } from './simulator.server.ts'

export type { AppAnswer } from './port.server.ts'

/** The app's server once its address is set, until then a simulator. */
export const openApp = ({ env, clock }: Pick<App, 'env' | 'clock'>): AppDoor =>
  env.APP_URL === undefined
    ? simulatedApp
    : appOverHttp(env.APP_URL, secretOf(env.INBOX_SECRET ?? '', 'app'), () => clock.now())
