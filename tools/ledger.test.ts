import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { adultName, GUARDIANS, PUPIL_NAMES, pupil, randomFrom } from '../src/demo/builders.server.ts'
import { findLeaks, unzip } from './ledger.ts'
import { A_RECORDING, type Entry, TEST_GUARDIAN, TEST_PASSWORD } from './testing/ledger.ts'

/** A guardian as the demo business makes them. */
const seeded = pupil(randomFrom(7)).guardianName
const TOKEN = 'abcdefghijklmnopqrstuvwxyz0123456789-_ABCDE'
const NOT_IMPORTED = 'GET /api/members/number-import/import/:id/errors'
const OWN_FILE = 'POST /api/members/campaign/numbers-file'
const answer = (where: string, text: string): Entry => ({ kind: 'answer', where, text })
const file = (where: string, text: string): Entry => ({ kind: 'file', where, text })

describe('the ledger finds', () => {
  test.each([
    ['a phone number in a list', answer('GET /api/orders/order', '{"phone":"13800138000"}')],
    ['a phone number in a log', { kind: 'log', where: 'log', text: 'asked for 13800138000.' } as const],
    [
      'a phone number in a push',
      { kind: 'push', where: 'push 8', text: '{\\"leadMobile\\":\\"13800138000\\"}' } as const,
    ],
    ['a token in an answer', answer('GET /api/auth/userInfo', `{"data":"${TOKEN}"}`)],
    ['a token in a log, even of the sign-in', { kind: 'log', where: 'POST /api/auth/login', text: TOKEN } as const],
    ['a hash', answer('GET /api/x', '$argon2id$v=19$…')],
    ['a password', answer('GET /api/x', 'inkstone-demo')],
    ['the guardian of a member', answer('GET /api/members/member/:id', `{"guardianName":"${TEST_GUARDIAN}"}`)],
    ['a guardian in a log', { kind: 'log', where: 'log', text: `agreed by ${TEST_GUARDIAN}` } as const],
    ['a guardian of the demo in a list', answer('GET /api/members/member', `{"guardianName":"${seeded}"}`)],
    ['a guardian of the demo in a log', { kind: 'log', where: 'log', text: `parcel of ${seeded}` } as const],
    ['a guardian of the demo in a push', { kind: 'push', where: 'push 8', text: `{"title":"${seeded}"}` } as const],
    ['a guardian of the demo in an export', file('GET /api/members/member/export', `<v>${seeded}</v>`)],
    ['a phone number in an export', file('GET /api/members/member/export', '<v>13800138000</v>')],
    ['a guardian of the demo in a file that is told back', answer(OWN_FILE, `{"phones":["${seeded}"]}`)],
    ['a password among rows that were not imported', file(NOT_IMPORTED, `<v>${TEST_PASSWORD}</v>`)],
    [
      'a guardian of the demo in the name of a picture',
      answer(
        'GET /api/common/file/:id headers',
        `{"content-disposition":"inline; filename*=UTF-8''${encodeURIComponent(`${seeded}.png`)}"}`,
      ),
    ],
    ['a recording but by its link', answer('GET /api/members/work/:id', A_RECORDING)],
  ])('%s', (_name, entry) => {
    expect(findLeaks([entry])).toHaveLength(1)
  })
})

describe('the ledger lets pass', () => {
  test.each([
    ['a masked number', answer('GET /api/orders/order', '{"phone":"138****8000"}')],
    ['an order number', answer('GET /api/orders/order', '{"orderNo":"202613800138000001"}')],
    ['a number shown on purpose', answer('POST /api/orders/order/:id/reveal', '{"value":"13800138000"}')],
    ['a number among rows that go back to who sent them', file(NOT_IMPORTED, '<v>13800138000</v>')],
    ['a number of a file that is told back to who sent it', answer(OWN_FILE, '{"phones":["13800138000"]}')],
    ['a guardian shown on purpose', answer('POST /api/members/member/:id/reveal', `{"value":"${TEST_GUARDIAN}"}`)],
    ['a guardian of the demo shown on purpose', answer('POST /api/members/member/:id/reveal', `{"value":"${seeded}"}`)],
    ['a masked guardian of the demo', answer('GET /api/members/member', `{"guardianName":"${seeded[0]}**"}`)],
    ['a pupil of the demo', answer('GET /api/members/member', `{"name":"${pupil(randomFrom(7)).name}"}`)],
    ['a masked guardian', answer('GET /api/members/member', '{"guardianName":"慕***"}')],
    ['a recording by its link', answer('GET /api/common/file/:id', A_RECORDING)],
    ['the token of who signs in', answer('POST /api/auth/login', `{"data":"${TOKEN}"}`)],
    ['a new token for its own session', { kind: 'push', where: 'push 3', text: `{"token":"${TOKEN}"}` } as const],
  ])('%s', (_name, entry) => {
    expect(findLeaks([entry])).toEqual([])
  })
})

test('a guardian of the demo is told from everybody else there: no colleague and no pupil is called so', () => {
  const random = randomFrom(3)
  const others = Array.from({ length: 2_000 }, (_, nth) => adultName(random, nth % 2 === 0 ? 'F' : 'M'))
  const found = findLeaks([...others, ...PUPIL_NAMES].map(name => answer('GET /api/x', `{"name":"王${name}"}`)))
  expect(found).toEqual([])
  expect(new Set(GUARDIANS).size).toBe(50)
})

test('what is packed into an export is unpacked and looked at', () => {
  const name = Buffer.from('sheet.xml')
  const packed = deflateRawSync('<v>13800138000</v>')
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(name.length, 26)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt16LE(8, 10)
  central.writeUInt32LE(packed.length, 20)
  central.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(local.length + name.length + packed.length, 16)
  expect(unzip(Buffer.concat([local, name, packed, central, name, end]))).toEqual(['<v>13800138000</v>'])
})
