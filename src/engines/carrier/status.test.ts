import { describe, expect, test } from 'vitest'
import { carrierOf, fromKuaidi100, toKuaidi100 } from './status.model.ts'

const lines = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/))

describe('what carriers call it, and what we call it', () => {
  test.each(
    lines(`
      0 TRANSIT
      1 PICKED
      2 PROBLEM
      3 SIGNED
      4 RETURNED
      5 DELIVERING
      6 RETURNING
      7 TRANSIT
      8 TRANSIT
      10 TRANSIT
      11 TRANSIT
      12 TRANSIT
      13 PROBLEM
      14 REJECTED
      101 SHIPPED
      102 SHIPPED
      103 PICKED
      1001 TRANSIT
      1002 TRANSIT
      1003 TRANSIT
      501 STATION
      301 SIGNED
      302 SIGNED
      303 SIGNED
      304 SIGNED
      401 CANCELLED
      201 PROBLEM
      202 PROBLEM
      203 REJECTED
      204 PROBLEM
      205 PROBLEM
      206 PROBLEM
      207 PROBLEM
      208 PROBLEM
      209 PROBLEM
      210 CANCELLED
      9999 TRANSIT
    `),
  )('Kuaidi100 %s is %s', (state, expected) => {
    expect(fromKuaidi100(state as string)).toBe(expected)
  })

  test.each(
    lines(`
      SF shunfeng
      ZTO zhongtong
      YTO yuantong
      STO shentong
      YD yunda
      JTSD jtexpress
      JD jd
      EMS ems
      YZPY youzhengguonei
      DBL debangwuliu
    `),
  )('our %s is their %s, both ways', (ours, theirs) => {
    expect(toKuaidi100(ours as string)).toBe(theirs)
    expect(carrierOf(theirs as string)).toBe(ours)
  })

  test('a carrier people added is passed on as it is written', () => {
    expect(toKuaidi100('ANE')).toBe('ane')
    expect(carrierOf('ane')).toBe('ANE')
  })
})
