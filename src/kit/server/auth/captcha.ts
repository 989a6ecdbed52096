import { randomBytes, randomInt } from 'node:crypto'
import * as z from 'zod'
import type { App } from '../app.ts'
import { type Gate, requireAttempt } from '../gate.ts'
import { type Route, route } from '../route.ts'
import { CAPTCHA_ALPHABET, drawCaptcha } from './captcha-image.ts'

const LIFE_MS = 120_000
const SIGNS = 4
/** So many may be open per address: a whole office signs in behind one, a script must not fill the table. */
const OPEN_PER_ADDRESS: Gate = { kind: 'captcha', limit: 100, windowMs: LIFE_MS }
const FIXED = 'fixed:'

export const captchaRoute = (app: App): Route =>
  route({
    method: 'GET',
    path: '/auth/captcha',
    access: 'public',
    answer: z.strictObject({ key: z.string(), image: z.string() }),
    summary: 'A picture with signs to type when signing in: good for two minutes and one attempt.',
    async handle(call) {
      await requireAttempt(app.db.query, OPEN_PER_ADDRESS, call.address, call.now)
      const answer = newAnswer(app.env.CAPTCHA)
      const key = randomBytes(18).toString('base64url')
      await app.db.query
        .insertInto('captcha')
        .values({ key, answer: answer.toLowerCase(), expires_at: new Date(call.now.getTime() + LIFE_MS) })
        .execute()
      return { key, image: `data:image/png;base64,${drawCaptcha(answer).toString('base64')}` }
    },
  })

const newAnswer = (setting: string): string =>
  setting.startsWith(FIXED)
    ? setting.slice(FIXED.length)
    : Array.from({ length: SIGNS }, () => CAPTCHA_ALPHABET[randomInt(CAPTCHA_ALPHABET.length)]).join('')

/** Uses up the captcha, whether the answer is right or not: one picture, one guess. */
export async function isCaptchaRight(app: App, key: string, typed: string, now: Date): Promise<boolean> {
  if (app.env.CAPTCHA === 'off') return true
  const used = await app.db.query
    .deleteFrom('captcha')
    .where('key', '=', key)
    .returning(['answer', 'expires_at'])
    .executeTakeFirst()
  return used !== undefined && Date.parse(used.expires_at) > now.getTime() && used.answer === typed.trim().toLowerCase()
}
