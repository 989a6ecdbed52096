import type { PlatformState } from './model.ts'

/** Between whom contacts move, as the platform calls them, and whether the first of them has left. */
export type Move = { readonly handover: string; readonly takeover: string; readonly isLeave: boolean }

/**
 * What came of one call. `answered`: what the platform said of each contact. `refused`: it took none of them. `later`: the call
 * certainly did nothing, and may be made again. `unknown`: nobody answered, so it may have; it is asked about, never made again.
 */
export type Outcome =
  | { readonly kind: 'answered'; readonly errcodes: ReadonlyMap<string, number> }
  | { readonly kind: 'refused'; readonly errcode: number }
  | { readonly kind: 'later'; readonly said: string }
  | { readonly kind: 'unknown' }

export type Asked = { readonly externalId: string; readonly calledAt: Date }
export type Told = { readonly state: PlatformState; readonly at: Date | null }

/** What one colleague has of somebody: how they met, by which of our codes, and what the colleague has noted. */
export type Follow = {
  readonly userId: string
  readonly addWay: string
  readonly state: string | null
  readonly remark: string | null
  readonly phones: readonly string[]
}
/** Somebody as the platform knows them; `unionid` is what all of the WeChat family calls the person. */
export type Person = {
  readonly name: string | null
  readonly unionid: string | null
  readonly follows: readonly Follow[]
}

/** The chat platform, as far as it knows our colleagues' contacts, and lets them go from one to another. */
export type ContactDoor = {
  /** Speaks to the platform once. What it throws counts as `unknown`. */
  transfer(move: Move, externalIds: readonly string[]): Promise<Outcome>
  /** What became of each of them: that moves nothing, and may be asked as often as one likes. */
  results(move: Move, asked: readonly Asked[]): Promise<ReadonlyMap<string, Told>>
  /** Who somebody is; nothing where the platform knows nobody by that name any more. */
  person(externalId: string): Promise<Person | undefined>
}
