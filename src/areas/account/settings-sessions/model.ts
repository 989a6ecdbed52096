import * as z from 'zod'

export const ownSession = z.strictObject({
  id: z.string(),
  device: z.string(),
  address: z.string(),
  since: z.string(),
  activeAt: z.string(),
  /** The session this was asked in. */
  current: z.boolean(),
})
export type OwnSession = z.infer<typeof ownSession>

const LOGIN_RESULTS = ['SUCCESS', 'CAPTCHA', 'CREDENTIALS', 'SECOND_STEP', 'CODE', 'LOCKED', 'DISABLED'] as const
export const ownLogin = z.strictObject({
  id: z.string(),
  at: z.string(),
  device: z.string(),
  address: z.string(),
  result: z.enum(LOGIN_RESULTS),
})
export type OwnLogin = z.infer<typeof ownLogin>
