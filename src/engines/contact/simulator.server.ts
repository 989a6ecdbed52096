import { createHash } from 'node:crypto'
import type { Clock } from '#kit/model/time.ts'
import { EFFECT_MS, type PlatformState } from './model.ts'
import type { ContactDoor, Told } from './port.server.ts'

/** Of a hundred customers; the others are taken over. */
const ENDS: readonly (readonly [share: number, state: PlatformState])[] = [
  [6, 3],
  [8, 4],
  [9, 5],
]

function endOf(externalId: string): PlatformState {
  const chance = (createHash('sha256').update(externalId).digest()[0] ?? 0) % 100
  return ENDS.find(([share]) => chance < share)?.[1] ?? 1
}

/** A platform nobody chats on: what becomes of a contact follows from its id, a day after it was asked for. */
export const simulatedContacts = (clock: Clock): ContactDoor => ({
  transfer: async (_move, externalIds) => ({ kind: 'answered', errcodes: new Map(externalIds.map(id => [id, 0])) }),
  results: async (_move, asked) =>
    new Map(
      asked.map(({ externalId, calledAt }): [string, Told] => {
        const at = new Date(calledAt.getTime() + EFFECT_MS)
        return [externalId, { state: at > clock.now() ? 2 : endOf(externalId), at }]
      }),
    ),
  person: async () => undefined,
})
