import type { TrackingStatus } from './status.model.ts'

/** A parcel as a carrier knows it. */
export type Parcel = {
  readonly carrier: string
  readonly trackingNo: string
  /** The receiver's: some carriers tell nothing without its last digits. */
  readonly phone: string
  readonly province: string
  readonly sentAt: Date
}
export type TrackEvent = { readonly at: Date; readonly status: TrackingStatus; readonly content: string }
export type Push = { readonly carrier: string; readonly trackingNo: string; readonly events: readonly TrackEvent[] }

export type Carrier = {
  /** Tells by itself what happens to a parcel it was asked to follow. */
  readonly pushes: boolean
  follow(parcel: Parcel): Promise<void>
  /** All that is known of a parcel so far; throws AskAgain when nobody answered. */
  ask(parcel: Parcel): Promise<readonly TrackEvent[]>
  /** Reads what was pushed; throws a refusal when its signature is not the carrier's. */
  readPush(body: Buffer): Push | undefined
  /** What the sender wants to hear when a push was taken. */
  readonly acknowledgement: string
}
