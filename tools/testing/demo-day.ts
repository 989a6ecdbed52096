/** A day for a demo business of few orders: such a small one does not have everything on each. */
export const DEMO_DAY = new Date('2026-11-15T03:20:00Z')
