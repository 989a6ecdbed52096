/** Where a parcel is, whoever carries it. */
const TRACKING_STATES = [
  'PENDING',
  'SHIPPED',
  'PICKED',
  'TRANSIT',
  'DELIVERING',
  'STATION',
  'SIGNED',
  'PROBLEM',
  'RETURNING',
  'RETURNED',
  'REJECTED',
  'CANCELLED',
] as const
export type TrackingStatus = (typeof TRACKING_STATES)[number]

/** Kuaidi100: one digit is the plain state, more are the exact one (resultv2 = 4). */
const KUAIDI100: Readonly<Record<string, TrackingStatus>> = {
  0: 'TRANSIT',
  1: 'PICKED',
  2: 'PROBLEM',
  3: 'SIGNED',
  4: 'RETURNED',
  5: 'DELIVERING',
  6: 'RETURNING',
  7: 'TRANSIT',
  8: 'TRANSIT',
  10: 'TRANSIT',
  11: 'TRANSIT',
  12: 'TRANSIT',
  13: 'PROBLEM',
  14: 'REJECTED',
  101: 'SHIPPED',
  102: 'SHIPPED',
  103: 'PICKED',
  1001: 'TRANSIT',
  1002: 'TRANSIT',
  1003: 'TRANSIT',
  501: 'STATION',
  301: 'SIGNED',
  302: 'SIGNED',
  303: 'SIGNED',
  304: 'SIGNED',
  401: 'CANCELLED',
  201: 'PROBLEM',
  202: 'PROBLEM',
  203: 'REJECTED',
  204: 'PROBLEM',
  205: 'PROBLEM',
  206: 'PROBLEM',
  207: 'PROBLEM',
  208: 'PROBLEM',
  209: 'PROBLEM',
  210: 'CANCELLED',
}

/** A code neither of them had when this was written says only that the parcel is on its way. */
export const fromKuaidi100 = (state: string): TrackingStatus => KUAIDI100[state] ?? 'TRANSIT'

/** Our codes are KDNiao's, as the dictionary CARRIER holds them; Kuaidi100 spells carriers out. */
const CARRIERS: Readonly<Record<string, string>> = {
  SF: 'shunfeng',
  ZTO: 'zhongtong',
  YTO: 'yuantong',
  STO: 'shentong',
  YD: 'yunda',
  JTSD: 'jtexpress',
  JD: 'jd',
  EMS: 'ems',
  YZPY: 'youzhengguonei',
  DBL: 'debangwuliu',
}
const OURS: ReadonlyMap<string, string> = new Map(Object.entries(CARRIERS).map(([ours, theirs]) => [theirs, ours]))

/** A carrier people added to the dictionary is passed on as they wrote it. */
export const toKuaidi100 = (carrier: string): string => CARRIERS[carrier] ?? carrier.toLowerCase()
export const carrierOf = (kuaidi100: string): string => OURS.get(kuaidi100) ?? kuaidi100.toUpperCase()
