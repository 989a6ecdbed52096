import type { App } from '#kit/server/app.ts'
import { doors as ownDoors } from './doors.server.ts'
import type { AccountDoor, CertificateDoor, FormDoor, OrderDoor, Shop } from './port.server.ts'
import { simulatedAccounts, simulatedCertificates, simulatedForms, simulatedOrders } from './simulator.server.ts'

export type { Certified, MenuButton, Reported, ShopOrder, Verification } from './port.server.ts'

type Machine = Pick<App, 'env' | 'clock'>

/** Where certificates are verified: with the platform once its keys are set, until then with a simulator. */
export const openCertificates = (_machine: Machine): CertificateDoor => simulatedCertificates

/** Where a platform's orders are asked for. */
export const openOrders = (_machine: Machine, _shop: Shop): OrderDoor => simulatedOrders

/** Where it is told which forms led to somebody: with a simulator until that interface is connected. */
export const openForms = (_machine: Machine): FormDoor => simulatedForms

/** Where accounts people follow are kept: with a simulator until that interface is connected. */
export const openAccounts = (_machine: Machine): AccountDoor => simulatedAccounts

export const doors = ownDoors
