import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import * as z from 'zod'
import { FILES_URL_FORM, readFilesUrl } from './files-url.ts'

const port = z.coerce.number().int().min(0).max(65_535)

/** A network of everybody would take anybody's word. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 8 && Number(bits) <= (family === 4 ? 32 : 128))
  )
}

/** As the WeChat family shows it where messages are sealed. */
const aesKey = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}$/, 'must be the 43 characters the platform shows')
  .optional()

const settings = z.strictObject({
  PORT: port.default(8000),
  HOST: z.string().min(1).default('127.0.0.1'),
  // Machines whose word on a caller's address is taken (X-Forwarded-For): addresses or networks, with commas between.
  TRUSTED_PROXIES: z
    .string()
    .transform(text => text.split(',').flatMap(part => part.trim() || []))
    .refine(list => list.every(isNetwork), 'must be addresses or networks such as 10.0.0.7, 172.18.0.0/16')
    .default([]),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgresql://')
    .optional(),
  // A bucket for files, in place of a folder in DATA_DIR; its keys stand apart, so that the address may be shown.
  FILES_URL: z
    .string()
    .refine(text => readFilesUrl(text) !== undefined, `must be ${FILES_URL_FORM}; tls=off is for this machine alone`)
    .optional(),
  FILES_ACCESS_KEY: z.string().min(1).optional(),
  FILES_SECRET_KEY: z.string().min(1).optional(),
  SEED: z.enum(['demo', 'none']).optional(),
  SIMULATE: z.enum(['on', 'off']).optional(),
  ADMIN_USERNAME: z
    .string()
    .regex(/^[a-z][a-z0-9._-]{1,49}$/)
    .default('admin'),
  ADMIN_PASSWORD: z.string().min(8).max(128).optional(),
  CAPTCHA: z
    .string()
    .regex(/^(on|off|fixed:[A-Za-z0-9]{1,10})$/, 'must be on, off or fixed:ANSWER')
    .default('on'),
  DEFAULT_LOCALE: z.enum(['zh-CN', 'en-US']).default('zh-CN'),
  RECONNECT_FACTOR: z.enum(['1.2', '1.3']).default('1.2').transform(Number),
  SECURITY_PROFILE: z.enum(['default', 'djbh']).default('default'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  INBOX_SECRET: z.string().min(16).optional(),
  // Redemption codes are found and sealed with it: a code outlives every restart, and so must this.
  CODE_SECRET: z.string().min(16).optional(),
  // The tracking service for parcels; without its keys a simulated carrier stands in. Salt and callback are for its pushes.
  KUAIDI100_URL: z.url({ protocol: /^https?$/ }).default('https://poll.kuaidi100.com'),
  KUAIDI100_CUSTOMER: z.string().min(1).optional(),
  KUAIDI100_KEY: z.string().min(1).optional(),
  KUAIDI100_SALT: z.string().min(8).optional(),
  KUAIDI100_CALLBACK_URL: z.url({ protocol: /^https?$/ }).optional(),
  // Where the pupils' app takes questions of ours; without it a simulator answers.
  APP_URL: z.url({ protocol: /^https?$/ }).optional(),
  // How the short addresses of sales links begin, which a proxy leads to /api/go/, and the shop they lead on to. Without the first they are
  // this console's own; without the second they say so.
  LINK_URL: z.url({ protocol: /^https?$/ }).optional(),
  SHOP_URL: z.url({ protocol: /^https?$/ }).optional(),
  // How the addresses begin at which partners look at their statements; a proxy leads them to /api/partner/. Without it they are this console's own,
  // and none is sent where mail or text messages leave the house.
  PARTNER_URL: z.url({ protocol: /^https?$/ }).optional(),
  // The mail server, with account and password in its address, and whose name stands on mail; without them nothing leaves the house.
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().min(3).max(200).optional(),
  // Text messages by Aliyun; without its keys a simulator stands in.
  SMS_URL: z.url({ protocol: /^https?$/ }).default('https://dysmsapi.aliyuncs.com'),
  SMS_KEY_ID: z.string().min(1).optional(),
  SMS_SECRET: z.string().min(1).optional(),
  SMS_SIGN_NAME: z.string().min(1).optional(),
  // Chat contacts on WeCom; without its keys a simulator stands in.
  WECOM_URL: z.url({ protocol: /^https?$/ }).default('https://qyapi.weixin.qq.com'),
  WECOM_CORP_ID: z.string().min(1).optional(),
  WECOM_CONTACT_SECRET: z.string().min(8).optional(),
  // By which WeCom seals what it tells by itself: of customers, and to an app of the company's own. Each has its own address.
  WECOM_CONTACT_TOKEN: z.string().min(3).max(32).optional(),
  WECOM_CONTACT_AES_KEY: aesKey,
  WECOM_APP_AGENT_ID: z
    .string()
    .regex(/^\d{1,12}$/)
    .optional(),
  WECOM_APP_TOKEN: z.string().min(3).max(32).optional(),
  WECOM_APP_AES_KEY: aesKey,
  // The platforms' own doors for events: each stands once its keys are set; Xiaohongshu's once people have switched it on too.
  // At the shop that is named its vouchers are verified; without one a simulator does.
  DOUYIN_URL: z.url({ protocol: /^https?$/ }).default('https://open.douyin.com'),
  DOUYIN_POI_ID: z.string().min(1).optional(),
  DOUYIN_ACCOUNT_ID: z.string().min(1).optional(),
  DOUYIN_CLIENT_KEY: z.string().min(1).optional(),
  DOUYIN_CLIENT_SECRET: z.string().min(8).optional(),
  // With the secret the shop's orders are asked for, of which its messages say little.
  WECHAT_SHOP_URL: z.url({ protocol: /^https?$/ }).default('https://api.weixin.qq.com'),
  WECHAT_SHOP_SECRET: z.string().min(8).optional(),
  WECHAT_SHOP_APP_ID: z.string().min(1).optional(),
  WECHAT_SHOP_TOKEN: z.string().min(3).max(32).optional(),
  WECHAT_SHOP_AES_KEY: aesKey,
  XIAOHONGSHU_APP_ID: z.string().min(1).optional(),
  XIAOHONGSHU_APP_SECRET: z.string().min(8).optional(),
  XIAOHONGSHU_FORM_TOKEN: z.string().min(8).optional(),
  // WeChat Pay and Alipay: all of a provider's keys or none of them; without them money is moved by a simulator.
  WECHAT_PAY_MCH_ID: z
    .string()
    .regex(/^\d{8,10}$/)
    .optional(),
  WECHAT_PAY_SERIAL_NO: z.string().min(1).optional(),
  WECHAT_PAY_PRIVATE_KEY: z.string().min(1).optional(),
  WECHAT_PAY_API_V3_KEY: z.string().length(32).optional(),
  WECHAT_PAY_PLATFORM_SERIAL: z.string().min(1).optional(),
  WECHAT_PAY_PLATFORM_KEY: z.string().min(1).optional(),
  WECHAT_PAY_NOTIFY_URL: z.url({ protocol: /^https$/ }).optional(),
  ALIPAY_APP_ID: z
    .string()
    .regex(/^\d{16}$/)
    .optional(),
  ALIPAY_PRIVATE_KEY: z.string().min(1).optional(),
  ALIPAY_PUBLIC_KEY: z.string().min(1).optional(),
  // Whoever reads /metrics from another machine, or through a proxy, shows it: Authorization: Bearer <token>.
  METRICS_TOKEN: z.string().min(16).optional(),
  // What one person may send in files within a day of the first.
  UPLOAD_MB_PER_DAY: z.coerce.number().int().min(20).max(1_000_000).default(500),
})
type Settings = z.infer<typeof settings>

export type Env = Omit<Settings, 'SEED' | 'SIMULATE'> & { SEED: 'demo' | 'none'; SIMULATE: 'on' | 'off' }

/** Shown only as set or not; docs/security.md names them. */
export const SECRETS: readonly (keyof Settings)[] = [
  'DATABASE_URL',
  'ADMIN_PASSWORD',
  'INBOX_SECRET',
  'CODE_SECRET',
  'METRICS_TOKEN',
  'FILES_SECRET_KEY',
  'KUAIDI100_KEY',
  'KUAIDI100_SALT',
  'SMTP_URL',
  'SMS_SECRET',
  'WECOM_CONTACT_SECRET',
  'WECOM_CONTACT_TOKEN',
  'WECOM_CONTACT_AES_KEY',
  'WECOM_APP_TOKEN',
  'WECOM_APP_AES_KEY',
  'DOUYIN_CLIENT_SECRET',
  'WECHAT_SHOP_SECRET',
  'WECHAT_SHOP_TOKEN',
  'WECHAT_SHOP_AES_KEY',
  'XIAOHONGSHU_APP_SECRET',
  'XIAOHONGSHU_FORM_TOKEN',
  'WECHAT_PAY_PRIVATE_KEY',
  'WECHAT_PAY_API_V3_KEY',
  'ALIPAY_PRIVATE_KEY',
]

/** Settings that only work together. */
const TOGETHER: readonly (readonly (keyof Settings)[])[] = [
  [
    'WECHAT_PAY_MCH_ID',
    'WECHAT_PAY_SERIAL_NO',
    'WECHAT_PAY_PRIVATE_KEY',
    'WECHAT_PAY_API_V3_KEY',
    'WECHAT_PAY_PLATFORM_SERIAL',
    'WECHAT_PAY_PLATFORM_KEY',
  ],
  ['ALIPAY_APP_ID', 'ALIPAY_PRIVATE_KEY', 'ALIPAY_PUBLIC_KEY'],
  ['DOUYIN_CLIENT_KEY', 'DOUYIN_CLIENT_SECRET'],
  ['WECHAT_SHOP_APP_ID', 'WECHAT_SHOP_TOKEN', 'WECHAT_SHOP_AES_KEY'],
  ['XIAOHONGSHU_APP_ID', 'XIAOHONGSHU_APP_SECRET'],
  ['SMTP_URL', 'MAIL_FROM'],
  ['SMS_KEY_ID', 'SMS_SECRET', 'SMS_SIGN_NAME'],
  ['WECOM_CORP_ID', 'WECOM_CONTACT_SECRET'],
  ['WECOM_CONTACT_TOKEN', 'WECOM_CONTACT_AES_KEY'],
  ['WECOM_APP_AGENT_ID', 'WECOM_APP_TOKEN', 'WECOM_APP_AES_KEY'],
  ['FILES_URL', 'FILES_ACCESS_KEY', 'FILES_SECRET_KEY'],
]

/** Settings that mean nothing without another. */
const NEEDED: readonly (readonly [name: keyof Settings, needed: keyof Settings])[] = [
  ['WECOM_CONTACT_TOKEN', 'WECOM_CORP_ID'],
  ['WECOM_APP_TOKEN', 'WECOM_CORP_ID'],
  ['DOUYIN_POI_ID', 'DOUYIN_CLIENT_KEY'],
  ['DOUYIN_ACCOUNT_ID', 'DOUYIN_POI_ID'],
  ['WECHAT_SHOP_SECRET', 'WECHAT_SHOP_APP_ID'],
]

export class BadSettings extends Error {
  override name = 'BadSettings'
}

/** Reads and checks every setting at once; a secret may also stand in a file named by `<NAME>_FILE`. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const given: Record<string, string> = {}
  for (const name of Object.keys(settings.shape)) {
    const value = givenIn(source, name)
    if (value !== undefined) given[name] = value
  }
  const read = settings.safeParse(given)
  if (!read.success) {
    throw new BadSettings(read.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
  }
  for (const names of TOGETHER) {
    const missing = names.filter(name => read.data[name] === undefined)
    if (missing.length > 0 && missing.length < names.length) throw new BadSettings(`missing: ${missing.join(', ')}`)
  }
  for (const [name, needed] of NEEDED)
    if (read.data[name] !== undefined && read.data[needed] === undefined) throw new BadSettings(`missing: ${needed}`)
  const SEED = read.data.SEED ?? (read.data.DATABASE_URL ? 'none' : 'demo')
  if (read.data.CAPTCHA !== 'on' && SEED !== 'demo') {
    throw new BadSettings('CAPTCHA: off and fixed:ANSWER are for demo data only (SEED=demo)')
  }
  return { ...read.data, SEED, SIMULATE: read.data.SIMULATE ?? (SEED === 'demo' ? 'on' : 'off') }
}

/** What is left empty counts as not set. */
export function givenIn(source: Record<string, string | undefined>, name: string): string | undefined {
  const value = source[name] ?? readSecretFile(name, source[`${name}_FILE`])
  return value === '' ? undefined : value
}

/** The settings in force, for `npm run print-config`: secrets show only whether they are set. */
export const printable = (env: Env): Record<string, string> =>
  Object.fromEntries(
    Object.keys(settings.shape).map(name => {
      const value = env[name as keyof Env]
      return [name, value === undefined ? '' : SECRETS.includes(name as keyof Settings) ? '***' : String(value)]
    }),
  )

function readSecretFile(name: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    throw new BadSettings(`${name}_FILE: the file ${path} cannot be read`)
  }
}
