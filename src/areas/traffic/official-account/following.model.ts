/** What the platform tells of somebody, or the person did. */
export const EVENT_KINDS = ['SUBSCRIBE', 'SCAN', 'MESSAGE', 'NUMBER', 'UNSUBSCRIBE'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

export type FollowEvent = {
  readonly kind: EventKind
  readonly atMs: number
  readonly sceneId: string | null
  readonly cameBy: string | null
}

export type Following = {
  readonly status: 'FOLLOWING' | 'LEFT' | 'NEVER'
  readonly sceneId: string | null
  readonly cameBy: string | null
  readonly firstMs: number
  readonly leftMs: number | null
  readonly times: number
}

/** Who can be told to scan or write follows then. */
const IS_FOLLOWING: Readonly<Record<EventKind, boolean | undefined>> = {
  SUBSCRIBE: true,
  SCAN: true,
  MESSAGE: true,
  // Left on a page that anybody may open.
  NUMBER: undefined,
  UNSUBSCRIBE: false,
}

/** How somebody stands after all that was told, in whatever order it came: the code of the first time is what brought the person. */
export function foldFollowing(told: readonly FollowEvent[]): Following | undefined {
  const events = told.toSorted((a, b) => a.atMs - b.atMs || EVENT_KINDS.indexOf(a.kind) - EVENT_KINDS.indexOf(b.kind))
  const [first] = events
  if (!first) return undefined
  const came = events.filter(({ kind }) => kind === 'SUBSCRIBE')
  const last = events.findLast(({ kind }) => IS_FOLLOWING[kind] !== undefined)
  const status = last === undefined ? 'NEVER' : IS_FOLLOWING[last.kind] ? 'FOLLOWING' : 'LEFT'
  return {
    status,
    sceneId: came[0]?.sceneId ?? null,
    cameBy: came[0]?.cameBy ?? null,
    firstMs: first.atMs,
    leftMs: status === 'LEFT' && last ? last.atMs : null,
    times: came.length,
  }
}

/** Begins what stands for somebody's name on the platform once that was forgotten; none the platform gives begins so. */
export const FORGOTTEN = '-'
