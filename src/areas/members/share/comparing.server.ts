import { comparing } from '#engines/picture-hash/comparing.server.ts'
import { resource } from './model.ts'

/** Its screenshots are compared with those of every other share. */
export const { delivery: compareDelivery, ask: askToCompare } = comparing({ kind: 'share-compared', resource })
