import type { RefundApplication } from './model.ts'

/** The ways the money can go back. */
export const ROUTES = ['ORIGINAL', 'OFFLINE', 'PLATFORM'] as const satisfies readonly RefundApplication['route'][]
