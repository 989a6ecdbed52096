/** By which of the doors' sides a number came: somebody began to register, a colleague brought a list, it was left on a platform, or somebody bought there. */
const CAME_BY = ['REGISTRATION', 'IMPORT', 'FORM', 'PLATFORM_ORDER'] as const
type CameBy = (typeof CAME_BY)[number]

/** And what tells of somebody who is known: a link that was followed. */
export const TOUCHED_BY = [...CAME_BY, 'LINK'] as const
export type TouchedBy = (typeof TOUCHED_BY)[number]

/** Whose a lead is to be, and where that person works. */
export type Owner = { readonly id: string; readonly orgId: string }

/** How a lead came into somebody's hands: with its arrival, by a colleague, because somebody left, or out of the pool. */
export const GOT = ['ALLOCATED', 'ASSIGNED', 'HANDED_OVER', 'CLAIMED'] as const
export type Got = (typeof GOT)[number]

/** How it left them: to somebody else, because its owner left, back into the pool (by hand, or because its time was up), or for good. */
export const LEFT = ['MOVED', 'HANDED_OVER', 'RETURNED', 'EXPIRED', 'DEAL', 'LOST', 'INVALID'] as const
export type Left = (typeof LEFT)[number]

/** How far a lead in somebody's hands has come, the furthest last. */
const WAY = ['ASSIGNED', 'CONTACTED', 'ADDED', 'TRIAL', 'INTENT'] as const
type OnTheWay = (typeof WAY)[number]
/** Nobody's: never anybody's, or given back. */
export const POOLED = ['UNASSIGNED', 'RETURNED'] as const
/** Paid, or nobody follows it any more. */
export const ENDS = ['DEAL', 'INVALID', 'LOST'] as const
export type End = (typeof ENDS)[number]

/** How far somebody has come with a lead, and what of that is noted with its day in the hands it was reached in. */
const REACHED = [...WAY, 'DEAL'] as const
export type Reached = (typeof REACHED)[number]
export type Noted = Exclude<OnTheWay, 'ASSIGNED'>
/** As far as this, or further. */
export const reachedFrom = (reached: Reached): readonly Reached[] => REACHED.slice(REACHED.indexOf(reached))

/** Where a lead stands once it has come so far: what is told late leads nowhere back, and what is nobody's goes no way. */
export function advanced(status: string, reached: OnTheWay): string {
  const way: readonly string[] = WAY
  const [now, next] = [way.indexOf(status), way.indexOf(reached)]
  return now >= 0 && next > now ? reached : status
}

/** The furthest a lead ever came, whatever became of it later: in chat, a member, one who has tried a lesson, one who has paid. */
export const FURTHEST = ['CAME', 'ADDED', 'REGISTERED', 'TRIED', 'PAID'] as const
export type Furthest = (typeof FURTHEST)[number]

/** As far as this, or further. */
export const furthestFrom = (reached: Furthest): readonly Furthest[] => FURTHEST.slice(FURTHEST.indexOf(reached))

/** What is told late leads nowhere back. */
export const furthestOf = (now: Furthest, reached: Furthest): Furthest =>
  FURTHEST.indexOf(reached) > FURTHEST.indexOf(now) ? reached : now

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
  /** When it happened, where that is told later. */
  readonly at?: Date | undefined
  /** What people know it by: the title of a note, say. */
  readonly about?: string | null | undefined
  /** Which product of ours it names by itself. */
  readonly productId?: string | null | undefined
  /** The link that has sent it, and what that sells. */
  readonly link?: { readonly code: string; readonly productId: string } | undefined
}

/** One thing a number, or a member, came by. */
export type Touch = Pick<Arrival, 'key' | 'source' | 'channel' | 'consent' | 'at' | 'about' | 'productId'> & {
  readonly cameBy: TouchedBy
}

/** What somebody did by which a number came: and the link it was sent by, beside it. */
export function touchesOf({ phone: _phone, name: _name, owner: _owner, link, ...came }: Arrival): Touch[] {
  if (!link) return [came]
  const { code, productId } = link
  return [came, { ...came, cameBy: 'LINK', key: `link:${code}`, about: code, productId }]
}

/** What tells best which product somebody wants, first: what was sent to that person, what was bought, where it was begun. */
export const NAMES_PRODUCT: readonly TouchedBy[] = ['LINK', 'PLATFORM_ORDER', 'REGISTRATION', 'FORM']

/** What became of an arrival. Of a number that is known, no more is told: not whose it is, nor whether a member has it. */
export type Arrived = { readonly phone: string } & (
  | { readonly result: 'NEW' | 'OPEN'; readonly leadId: string }
  | { readonly result: 'MEMBER'; readonly leadId: null }
)

/** A list brought by a colleague is nothing its people did: it makes leads and touches none. */
export const isTouch = ({ cameBy }: { readonly cameBy: TouchedBy }): boolean => cameBy !== 'IMPORT'
