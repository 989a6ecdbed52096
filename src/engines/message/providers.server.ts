import type { App } from '#kit/server/app.ts'
import { aliyun } from './aliyun.server.ts'
import type { Channel } from './model.ts'
import type { Provider } from './port.server.ts'
import { simulatedMail, simulatedSms } from './simulator.server.ts'
import { smtp } from './smtp.server.ts'

export type Outside = Exclude<Channel, 'WEB'>

/** Whether anything that is sent leaves the house: a provider's keys are set. */
export const isCarried = ({ env }: Pick<App, 'env'>): boolean =>
  Boolean((env.SMTP_URL && env.MAIL_FROM) || (env.SMS_KEY_ID && env.SMS_SECRET && env.SMS_SIGN_NAME))

/** Who carries messages of a channel: the provider once its keys are set, until then a simulator. */
export function providerOf({ env, clock }: Pick<App, 'env' | 'clock'>, channel: Outside): Provider {
  const { SMTP_URL, MAIL_FROM, SMS_URL: url, SMS_KEY_ID: keyId, SMS_SECRET: secret, SMS_SIGN_NAME: signName } = env
  if (channel === 'EMAIL') return SMTP_URL && MAIL_FROM ? smtp(SMTP_URL, MAIL_FROM) : simulatedMail()
  return keyId && secret && signName ? aliyun({ clock, url, keyId, secret, signName }) : simulatedSms(clock)
}
