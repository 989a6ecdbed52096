import * as z from 'zod'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '../app.ts'
import { type Route, route } from '../http/route.ts'
import { captchaRoute } from './captcha.ts'
import { loginRoute } from './login.ts'
import { endPreview, endPreviewRoute } from './preview.ts'
import { publicSettingsRoute } from './public-settings.ts'
import { secondStepRoute } from './second-step.ts'
import { navRoute, userInfoRoute } from './user-info.ts'

/** Sign-in, the session's own calls, and what the console asks before anybody has signed in. */
export const authRoutes = (app: App): Route[] => [
  captchaRoute(app),
  loginRoute(app),
  secondStepRoute(app),
  userInfoRoute(app),
  navRoute(app),
  publicSettingsRoute(app),
  logoutRoute(app),
  endPreviewRoute(app),
  pingRoute(),
  ...templateRoutes(),
]

const logoutRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: '/logout',
    access: 'session',
    answer: z.null(),
    summary: 'Ends the session and its sockets.',
    async handle(call) {
      await app.db.write(async tx => {
        await endPreview(app, tx, call)
        await app.sessions.end(tx, [call.sessionId], 'LOGOUT')
      })
      return null
    },
  })

/** Spec §7: keepalive after ten idle minutes. Whether it counts as activity, the security profile decides (http.ts). */
const pingRoute = (): Route =>
  route({
    method: 'POST',
    path: '/iam/ping',
    access: 'session',
    answer: z.null(),
    summary: 'Keeps the connection; an idle limit runs on.',
    handle: async () => null,
  })

/** Paths the template defines and this business does not use so (spec §7); the answer says what to do instead. */
const TEMPLATE_PATHS: Readonly<Record<string, string>> = {
  '/auth/register': 'no-register',
  '/auth/forge-password': 'no-forgotten-password',
  '/account/sms': 'no-sms',
  '/account/sms_err': 'no-sms',
}

const templateRoutes = (): Route[] => [
  templateRoute('GET', '/auth/2step-code', 'no-second-step'),
  ...Object.entries(TEMPLATE_PATHS).flatMap(([path, text]) =>
    (['GET', 'POST'] as const).map(method => templateRoute(method, path, text)),
  ),
]

const templateRoute = (method: 'GET' | 'POST', path: string, text: string): Route =>
  route({
    method,
    path,
    access: 'public',
    texts: 'kit/server/auth',
    query: z.unknown(),
    body: z.unknown(),
    answer: z.null(),
    summary: 'Not in use here: refused, with what to do instead.',
    handle: async () => {
      throw new Refused(refuse(text))
    },
  })
