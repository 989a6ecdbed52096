import { createHash } from 'node:crypto'
import type { Clock } from '#kit/model/time.ts'
import type { Fault } from './model.ts'
import type { Provider } from './port.server.ts'

const REPORT_MS = 5_000
/** Of a hundred text messages these do not arrive. */
const LOST: readonly (readonly [share: number, fault: Fault, code: string])[] = [
  [2, 'SWITCHED_OFF', 'MOBILE_NOT_ON_SERVICE'],
  [3, 'BAD_ADDRESS', 'INVALID_NUMBER'],
]

/** Text messages that reach nobody: whether one arrives follows from its number, and is known after some seconds. */
export const simulatedSms = (clock: Clock): Provider => ({
  send: async ({ key }) => ({ kind: 'taken', said: `SIM-${key}` }),
  async report({ address, at }) {
    if (clock.now().getTime() - at.getTime() < REPORT_MS) return undefined
    const chance = (createHash('sha256').update(address).digest()[0] ?? 0) % 100
    const lost = LOST.find(([share]) => chance < share)
    return lost
      ? { isDelivered: false, fault: lost[1], said: lost[2] }
      : { isDelivered: true, fault: 'REJECTED', said: 'DELIVERED' }
  },
})

/** Mail that reaches nobody. */
export const simulatedMail = (): Provider => ({
  send: async ({ key }) => ({ kind: 'taken', said: `250 simulated ${key}` }),
  report: null,
})
