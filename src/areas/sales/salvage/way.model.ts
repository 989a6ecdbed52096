type OnItsWay = {
  readonly status: string
  readonly ownerId: string | null
  readonly memberId: string | null
  readonly firstContactAt: string | null
}

/** It begins in the pool as long as nobody has it, and leaves out what it came past: nobody had to call, and no trial was needed. */
export function wayOf({ status, ownerId, memberId, firstContactAt }: OnItsWay): string[] {
  const isSkipped: Readonly<Record<string, boolean>> = {
    CONTACTED: ['ADDED', 'TRIAL', 'INTENT', 'DEAL'].includes(status) && firstContactAt === null,
    TRIAL: status === 'INTENT' && memberId === null,
  }
  const start = status === 'RETURNED' ? 'RETURNED' : 'UNASSIGNED'
  const stages = ['ASSIGNED', 'CONTACTED', 'ADDED', 'TRIAL', 'INTENT', 'DEAL'].filter(stage => !isSkipped[stage])
  return [...(ownerId === null ? [start] : []), ...stages].map(stage => `status.${stage}`)
}
