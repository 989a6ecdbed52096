import { describe, expect, test } from 'vitest'
import { douyinSignature } from './douyin.server.ts'
import { openSealed, openSigned, sealSignature } from './sealed.server.ts'
import { xiaohongshuSign } from './xiaohongshu.server.ts'
import { formSignature } from './xiaohongshu-forms.server.ts'

const [APP, SECRET, TOKEN, AT] = ['wx-of-ours', 'secret-of-ours', 'token-of-ours', '1700000000']
const AES_KEY = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG'
/** Sealed by OpenSSL's own command: 16 bytes, the length, `{"Event":"练字"}`, for whom; filled up to 96 bytes, the last one says by how many. */
const SEALED = 'Q3stYC6hdFzMh9T8HCvyDFaEyEmqfMfXPNSBiYy2fVJtPNMpyyC7mEWJbHLhx47XFOn3aR6EGHvTFsx4ZjPM1g=='

/** Each was computed by another program from what the platform's documents say goes into it. */
const VECTORS: readonly (readonly [of: string, ours: () => string, theirs: string])[] = [
  [
    'a webhook of Douyin: SHA-1 over the secret and the bytes right behind it',
    () => douyinSignature(SECRET, Buffer.from('{"event":"life_trade_order_notify","content":"练字"}')),
    '8116b61b573d2f5175deb829f9546b03cacaf837',
  ],
  [
    'a message of WeChat Channels: SHA-1 over token, time, nonce and sealed message in the order of the alphabet',
    () => sealSignature(TOKEN, AT, 'n0nce', SEALED),
    '1d80da59930b3cdafc337e17a1e52f7f4e1615bc',
  ],
  [
    'a push of Xiaohongshu: MD5 over its path, app and time by name, and the secret',
    () => xiaohongshuSign('/api/open/v1/xiaohongshu/push', { timestamp: AT, 'app-key': APP }, SECRET),
    '1315ee499770e3365292edba2ed3268d',
  ],
  [
    'a question to the shop on Xiaohongshu: MD5 over what is asked, its parameters by name, and the secret',
    () => xiaohongshuSign('order.getOrderDetail', { version: '2.0', timestamp: AT, appId: APP }, SECRET),
    '1d8e99f80a7433776a6535cebce49889',
  ],
  [
    'a form of Xiaohongshu: HMAC-SHA1 over the bytes by the token of its page',
    () => formSignature('page-token', Buffer.from('{"leads_id":"1"}')),
    'sha1=25c1eb0bbd52b08bc154a1e740d56794f2a4face',
  ],
]

describe('what is signed', () => {
  test.each(VECTORS)('is %s', (_of, ours, theirs) => {
    expect(ours()).toBe(theirs)
  })
})

test('what another program has sealed opens, for us alone, and only under the token both know', () => {
  const keys = { receiver: APP, token: TOKEN, aesKey: AES_KEY }
  const query = { msg_signature: '1D80DA59930B3CDAFC337E17A1E52F7F4E1615BC', timestamp: AT, nonce: 'n0nce' }
  expect(openSigned(keys, query, SEALED)).toBe('{"Event":"练字"}')
  expect(() => openSealed(AES_KEY, 'wx-of-others', SEALED)).toThrow()
  expect(() => openSigned({ ...keys, token: 'another' }, query, SEALED)).toThrow()
  expect(() => openSigned(keys, { ...query, timestamp: '1700000001' }, SEALED)).toThrow()
})
