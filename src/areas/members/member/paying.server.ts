import { defineAnnouncement } from '#kit/server/change/announce.ts'

/** A member has paid an order: whoever counts what came of people need not know orders. */
export const memberPaid = defineAnnouncement<{ readonly memberId: string }>('member-paid')
