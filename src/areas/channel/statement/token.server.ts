import { timingSafeEqual } from 'node:crypto'
import { isCarried } from '#engines/message/providers.server.ts'
import { keyedDigest } from '#kit/server/access/seal.ts'
import type { App } from '#kit/server/app.ts'

export const PATH = '/partner'
const USE = 'statement-link'
/** 144 bits: short enough for a text message. */
const SIGNATURE_BYTES = 18
const FORM = /^([1-9]\d{0,17})-([0-9a-z]{1,9})-([\w-]{24})$/

const signatureOf = (env: App['env'], id: string, until: string): Buffer =>
  keyedDigest(env, USE, `${id} ${until}`).subarray(0, SIGNATURE_BYTES)

/** What opens a link: which one it is and until when, under our signature, so that nobody can try others. */
export function tokenOf({ env }: Pick<App, 'env'>, id: string, expiresAt: Date): string {
  const until = Math.floor(expiresAt.getTime() / 1_000).toString(36)
  return `${id}-${until}-${signatureOf(env, id, until).toString('base64url')}`
}

/** Which link a token opens; nothing where we have not signed it. Whether it is over, its row says. */
export function linkIn({ env }: Pick<App, 'env'>, token: string): string | undefined {
  const [, id, until, signature] = FORM.exec(token) ?? []
  if (id === undefined || until === undefined || signature === undefined) return undefined
  const given = Buffer.from(signature, 'base64url')
  const wanted = signatureOf(env, id, until)
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? id : undefined
}

/** Whether an address of ours is one partners can open. Without its own it is this machine's, which is good while nothing leaves the house. */
export const isReachable = (app: Pick<App, 'env'>): boolean => app.env.PARTNER_URL !== undefined || !isCarried(app)

/** The address a partner opens. */
export const addressOf = ({ env: { PARTNER_URL, HOST, PORT } }: Pick<App, 'env'>, token: string): string =>
  `${(PARTNER_URL ?? `http://${HOST}:${PORT}/api${PATH}`).replace(/\/$/, '')}/${token}`
