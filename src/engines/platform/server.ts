import type { App } from '#kit/server/app.ts'
import { doors as ownDoors } from './doors.server.ts'
import type { CertificateDoor, OrderDoor, Shop } from './port.server.ts'
import { simulatedCertificates, simulatedOrders } from './simulator.server.ts'

export type { Certified, ShopOrder, Verification } from './port.server.ts'

type Machine = Pick<App, 'env' | 'clock'>

/** Where certificates are verified: with the platform once its keys are set, until then with a simulator. */
export const openCertificates = (_machine: Machine): CertificateDoor => simulatedCertificates

/** Where a platform's orders are asked for. */
export const openOrders = (_machine: Machine, _shop: Shop): OrderDoor => simulatedOrders

export const doors = ownDoors
