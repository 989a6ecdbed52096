import type { App } from '#kit/server/app.ts'
import type { Env } from '#kit/server/process/env.ts'
import { alipayProvider } from './alipay.server.ts'
import type { Provider, ProviderName } from './provider.server.ts'
import { simulatedProvider } from './simulator.server.ts'
import { wechatProvider } from './wechat.server.ts'

/** Who gives money back that came by this provider: the provider itself where its keys are set, else the simulator. */
export function openProvider(app: App, name: ProviderName): Provider {
  return realProvider(app, name) ?? simulatedProvider(app)
}

const opened = new WeakMap<Env, Map<ProviderName, Provider | undefined>>()

/** Keys are read once: one that cannot be read is found at the start, not with the first refund. */
export function realProvider({ env, clock }: Pick<App, 'env' | 'clock'>, name: ProviderName): Provider | undefined {
  const known = opened.get(env) ?? new Map<ProviderName, Provider | undefined>()
  opened.set(env, known)
  if (!known.has(name)) known.set(name, name === 'WECHAT' ? wechat(env, clock) : alipay(env, clock))
  return known.get(name)
}

function wechat(env: Env, clock: App['clock']): Provider | undefined {
  const { WECHAT_PAY_MCH_ID: mchId, WECHAT_PAY_SERIAL_NO: serialNo, WECHAT_PAY_PRIVATE_KEY: privateKey } = env
  const {
    WECHAT_PAY_API_V3_KEY: apiV3Key,
    WECHAT_PAY_PLATFORM_SERIAL: platformSerial,
    WECHAT_PAY_PLATFORM_KEY: platformKey,
  } = env
  if (!mchId || !serialNo || !privateKey || !apiV3Key || !platformSerial || !platformKey) return undefined
  return wechatProvider(
    { mchId, serialNo, privateKey, apiV3Key, platformSerial, platformKey, notifyUrl: env.WECHAT_PAY_NOTIFY_URL },
    clock,
  )
}

function alipay(env: Env, clock: App['clock']): Provider | undefined {
  const { ALIPAY_APP_ID: appId, ALIPAY_PRIVATE_KEY: privateKey, ALIPAY_PUBLIC_KEY: publicKey } = env
  return appId && privateKey && publicKey ? alipayProvider({ appId, privateKey, publicKey }, clock) : undefined
}
