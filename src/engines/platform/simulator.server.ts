import { createHash } from 'node:crypto'
import type { AccountDoor, CertificateDoor, FormDoor, OrderDoor } from './port.server.ts'

const chance = (of: string): number => createHash('sha256').update(of).digest()[0] ?? 0
/** Of so many certificates one is refused, as on the platform: run out, or in use elsewhere. */
const REFUSED_OF = 16

/** A platform nobody runs: what it answers follows from the certificate it is asked for. */
export const simulatedCertificates: CertificateDoor = {
  verify: async ({ certificateId }) =>
    chance(certificateId) % REFUSED_OF === 0
      ? { isDone: false, error: '券已过期' }
      : { isDone: true, verifyId: `V${createHash('sha256').update(certificateId).digest('hex').slice(0, 16)}` },
  cancel: async () => ({ isDone: true, verifyId: null }),
}

/** Takes what is reported, but for a few it says it does not know. */
export const simulatedForms: FormDoor = {
  reportValid: async ({ formNo }) =>
    chance(formNo) % REFUSED_OF === 0 ? { state: 'REFUSED', error: '线索不存在或已过期' } : { state: 'SENT' },
}

/** Shows every menu, gives every code and delivers every answer. */
export const simulatedAccounts: AccountDoor = {
  publishMenu: async () => ({ state: 'SENT' }),
  sceneLink: async (appId, state) => ({
    link: `https://weixin.qq.com/q/${createHash('sha256').update(`${appId} ${state}`).digest('base64url').slice(0, 22)}`,
  }),
  answer: async () => ({ state: 'SENT' }),
}

/** Knows no more than it has told. */
export const simulatedOrders: OrderDoor = { orderOf: async () => undefined }
