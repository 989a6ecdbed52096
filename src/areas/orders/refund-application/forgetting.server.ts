import { forgets } from '#kit/server/change/erasure.ts'

/** What was paid back, why in one word, and what proves it stay with the books; to whom, and what was written beside it, do not. */
export const forgotten = forgets({
  table: 'refund_application',
  becomes: {
    note: "''",
    deviation: "''",
    hold_reason: "''",
    payee_name: "case when payee_name is not null then '-' end",
    payee_account: "case when payee_account is not null then '-' end",
  },
  known: ['payee_name', 'payee_account'],
  keepsFiles: true,
})
