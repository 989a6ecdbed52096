/** By which of the doors' sides a number came: somebody began to register, or a colleague brought a list. */
export const CAME_BY = ['REGISTRATION', 'IMPORT'] as const
export type CameBy = (typeof CAME_BY)[number]

/** Whose a lead is to be, and where that person works. */
export type Owner = { readonly id: string; readonly orgId: string }

/** How a lead came into somebody's hands: with its arrival, by a colleague, or because somebody left. */
export const GOT = ['ALLOCATED', 'ASSIGNED', 'HANDED_OVER'] as const
export type Got = (typeof GOT)[number]

/** A number that came to us, normalised, with what it rests on. */
export type Arrival = {
  readonly phone: string
  readonly name: string | null
  readonly source: string
  readonly channel: string
  readonly consent: string
  readonly cameBy: CameBy
  /** What it came by: told again under the same name, it is one touch of the path. */
  readonly key: string
  /** Given by whoever brings it; nobody's leads wait in the pool. */
  readonly owner: Owner | null
}

/** What became of an arrival. Of a number that is known, no more is told: not whose it is, nor whether a member has it. */
export type Arrived = { readonly phone: string } & (
  | { readonly result: 'NEW' | 'OPEN'; readonly leadId: string }
  | { readonly result: 'MEMBER'; readonly leadId: null }
)

/** A list brought by a colleague is nothing its people did: it makes leads and touches none. */
export const isTouch = ({ cameBy }: Pick<Arrival, 'cameBy'>): boolean => cameBy !== 'IMPORT'

/** So many leads dealt out in turn, whoever has had fewest so far first: shares differ by one at most. */
export function dealOut(count: number, owners: readonly Owner[], before = 0): (Owner | null)[] {
  return Array.from({ length: count }, (_, nth) => owners[(before + nth) % owners.length] ?? null)
}
