import { type Refusal, refuse } from '#kit/model/refusal.ts'

/** Whoever is a member is forgotten with the account, which owes and is owed; and nobody twice. */
export const whyNotForget = ({
  phone,
  memberId,
}: {
  readonly phone: string | null
  readonly memberId: string | null
}): Refusal | undefined => {
  if (memberId !== null) return refuse('forgotten-with-account')
  return phone === null ? refuse('forgotten-already') : undefined
}
