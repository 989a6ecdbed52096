import type { App } from '#kit/server/app.ts'
import { channelsOrders } from './channels-orders.server.ts'
import { doors as ownDoors } from './doors.server.ts'
import { douyinVouchers } from './douyin-vouchers.server.ts'
import type { AccountDoor, CertificateDoor, FormDoor, OrderDoor, Shop } from './port.server.ts'
import { simulatedAccounts, simulatedCertificates, simulatedForms, simulatedOrders } from './simulator.server.ts'

export type { Certified, MenuButton, Reported, ShopOrder, Verification } from './port.server.ts'

type Machine = Pick<App, 'env' | 'clock'>

function douyin({ env, clock }: Machine): (CertificateDoor & OrderDoor) | undefined {
  const { DOUYIN_URL: url, DOUYIN_POI_ID: poiId, DOUYIN_ACCOUNT_ID: accountId } = env
  const { DOUYIN_CLIENT_KEY: clientKey, DOUYIN_CLIENT_SECRET: clientSecret } = env
  if (!clientKey || !clientSecret || !poiId) return undefined
  return douyinVouchers({ url, clientKey, clientSecret, poiId, accountId, clock })
}

function channels({ env, clock }: Machine): OrderDoor | undefined {
  const { WECHAT_SHOP_URL: url, WECHAT_SHOP_APP_ID: appId, WECHAT_SHOP_SECRET: secret } = env
  return appId && secret ? channelsOrders({ url, appId, secret, clock }) : undefined
}

/** Where certificates are verified: with the platform once its keys are set, until then with a simulator. */
export const openCertificates = (machine: Machine): CertificateDoor => douyin(machine) ?? simulatedCertificates

/** The shops that are asked for their orders; Xiaohongshu's tokens are given to a person who signs in there, which nobody can here. */
const ASKED: Readonly<Record<Shop, (machine: Machine) => OrderDoor | undefined>> = {
  douyin,
  'wechat-shop': channels,
  xiaohongshu: () => undefined,
}

/** Whether somebody answers what an order is. */
export const asksOrders = (machine: Machine, shop: Shop): boolean => ASKED[shop](machine) !== undefined

/** Where a platform's orders are asked for: once its keys are set, until then a simulator answers. */
export const openOrders = (machine: Machine, shop: Shop): OrderDoor => ASKED[shop](machine) ?? simulatedOrders

/** Where it is told which forms led to somebody: with a simulator until that interface is connected. */
export const openForms = (_machine: Machine): FormDoor => simulatedForms

/** Where accounts people follow are kept: with a simulator until that interface is connected. */
export const openAccounts = (_machine: Machine): AccountDoor => simulatedAccounts

export const doors = ownDoors
