import { createHash } from 'node:crypto'
import type { Clock } from '#kit/model/time.ts'
import type { Carrier, Parcel, TrackEvent } from './port.server.ts'
import type { TrackingStatus } from './status.model.ts'

const HOUR_MS = 3_600_000

type Leg = readonly [hours: number, status: TrackingStatus, content: string]
const BEGIN: readonly Leg[] = [
  [3, 'PICKED', '快递员已揽收'],
  [9, 'TRANSIT', '快件离开始发分拨中心'],
  [30, 'TRANSIT', '快件到达目的地分拨中心'],
  [44, 'DELIVERING', '快递员正在派送'],
]
/** How a way may end; most arrive. */
const ENDS: readonly (readonly Leg[])[] = [
  [[46, 'SIGNED', '已签收，签收人：本人']],
  [
    [46, 'STATION', '已放入驿站，请凭取件码取件'],
    [58, 'SIGNED', '驿站代签收'],
  ],
  [
    [46, 'PROBLEM', '电话无人接听，改次日派送'],
    [70, 'SIGNED', '已签收，签收人：家人'],
  ],
  [
    [46, 'REJECTED', '收件人拒收'],
    [60, 'RETURNING', '快件退回中'],
    [96, 'RETURNED', '退回件已签收'],
  ],
  [[46, 'PROBLEM', '快件滞留，正在核实']],
]
/** Of a hundred parcels. */
const SHARES = [72, 14, 8, 3, 3]

/** A carrier that speaks to nobody: what it tells of a parcel follows from its number and from the time. */
export const simulatedCarrier = (clock: Clock): Carrier => ({
  pushes: false,
  follow: async () => {},
  ask: async parcel => wayOf(parcel).filter(({ at }) => at <= clock.now()),
  readPush: () => undefined,
  acknowledgement: '',
})

function wayOf({ carrier, trackingNo, sentAt }: Parcel): TrackEvent[] {
  const chance = createHash('sha256').update(`${carrier}${trackingNo}`).digest()
  let left = (chance[0] ?? 0) % 100
  const end = SHARES.findIndex(share => {
    left -= share
    return left < 0
  })
  const slow = 1 + ((chance[1] ?? 0) % 50) / 100
  return [...BEGIN, ...(ENDS[end] ?? [])].map(([hours, status, content]) => ({
    at: new Date(sentAt.getTime() + Math.round(hours * slow * HOUR_MS)),
    status,
    content,
  }))
}
