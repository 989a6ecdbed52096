import { randomInt } from 'node:crypto'
import * as z from 'zod'
import { sealText, unsealText } from '../access/seal.ts'
import type { App } from '../app.ts'
import { type Route, route } from '../http/route.ts'
import { CAPTCHA_ALPHABET, drawCaptcha } from './captcha-image.ts'

const LIFE_MS = 120_000
const SIGNS = 4
const FIXED = 'fixed:'
/** Drawing takes milliseconds of the loop: asked for faster than this, pictures drawn lately are given again. */
const FRESH_MS = 50
const KEPT_PICTURES = 64

/**
 * Nothing is stored for a picture nobody answers, and nobody is refused one: its key holds the answer, sealed. So neither
 * a script nor a whole office behind one address can use pictures up.
 */
export const captchaRoute = (app: App): Route => {
  const next = openPictures(app.env.CAPTCHA)
  return route({
    method: 'GET',
    path: '/auth/captcha',
    access: 'public',
    answer: z.strictObject({ key: z.string(), image: z.string() }),
    summary: 'A picture with signs to type when signing in: good for two minutes and one attempt.',
    async handle(call) {
      const { answer, image } = next()
      return { key: seal(app, answer, call.now.getTime() + LIFE_MS), image }
    },
  })
}

type Picture = { readonly answer: string; readonly image: string }

function openPictures(setting: string): () => Picture {
  const kept: Picture[] = []
  let drawnAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    const given = now - drawnAt < FRESH_MS ? kept[randomInt(kept.length)] : undefined
    if (given) return given
    drawnAt = now
    const answer = newAnswer(setting)
    const drawn = { answer, image: `data:image/png;base64,${drawCaptcha(answer).toString('base64')}` }
    kept.push(drawn)
    if (kept.length > KEPT_PICTURES) kept.shift()
    return drawn
  }
}

const newAnswer = (setting: string): string =>
  setting.startsWith(FIXED)
    ? setting.slice(FIXED.length)
    : Array.from({ length: SIGNS }, () => CAPTCHA_ALPHABET[randomInt(CAPTCHA_ALPHABET.length)]).join('')

/** Uses up the captcha, whether the answer is right or not: one picture, one guess. */
export async function isCaptchaRight(app: App, key: string, typed: string, now: Date): Promise<boolean> {
  if (app.env.CAPTCHA === 'off') return true
  const sealed = unseal(app, key)
  if (!sealed || sealed.expires <= now.getTime()) return false
  const used = await app.db.query
    .insertInto('captcha')
    .values({ key, expires_at: new Date(sealed.expires) })
    .onConflict(conflict => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  return used !== undefined && sealed.answer.toLowerCase() === typed.trim().toLowerCase()
}

const USE = 'captcha'

const seal = ({ env }: App, answer: string, expires: number): string => sealText(env, USE, `${expires} ${answer}`)

/** What a key of ours holds; nothing for any other text. */
export function unseal({ env }: Pick<App, 'env'>, key: string): { answer: string; expires: number } | undefined {
  const [expires, answer = ''] = unsealText(env, USE, key)?.split(' ') ?? []
  return expires === undefined ? undefined : { answer, expires: Number(expires) }
}
