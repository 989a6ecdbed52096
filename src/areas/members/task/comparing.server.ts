import { comparing } from '#engines/picture-hash/comparing.server.ts'
import { resource } from './model.ts'

/** What is sent as proof is compared with the proof of every other task. */
export const { delivery: compareDelivery, ask: askToCompare } = comparing({ kind: 'task-compared', resource })
