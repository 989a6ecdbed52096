import { defineAnnouncement } from '#kit/server/change/announce.ts'

/** A member has paid an order with money, what costs nothing is no payment: whoever counts what came of people need not know orders. */
export const memberPaid = defineAnnouncement<{ readonly memberId: string; readonly paidFen: number }>('member-paid')
