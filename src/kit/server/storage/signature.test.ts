import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { EMPTY_SHA256, signHeaders, signLink } from './signature.ts'

/** The examples Amazon publishes for S3 ("Signature Calculations for the Authorization Header", "… Using Query Parameters"). */
const KEYS = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const THEN = new Date('2013-05-24T00:00:00Z')
const at = (path: string) => new URL(`https://examplebucket.s3.amazonaws.com${path}`)
const signatureOf = (method: string, path: string, headers: Record<string, string> = {}, body = '') => {
  const sha256 = createHash('sha256').update(body).digest('hex')
  const { authorization = '' } = signHeaders(KEYS, { method, url: at(path), headers }, sha256, THEN)
  return authorization.slice(-64)
}

describe('a signature', () => {
  test('is the one the storage reckons, by the published examples', () => {
    expect(signatureOf('GET', '/test.txt', { range: 'bytes=0-9' })).toBe(
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    )
    expect(signatureOf('GET', '/?max-keys=2&prefix=J')).toBe(
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    )
    expect(
      signatureOf(
        'PUT',
        '/test%24file.text',
        { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
        'Welcome to Amazon S3.',
      ),
    ).toBe('98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd')
  })

  test('of a link is too', () => {
    const link = new URL(signLink(KEYS, at('/test.txt'), THEN, 86_400_000))
    expect(link.searchParams.get('X-Amz-Signature')).toBe(
      'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    )
  })

  test('never carries the secret itself', () => {
    const signed = [
      signLink(KEYS, at('/a'), THEN, 1_000),
      JSON.stringify(signHeaders(KEYS, { method: 'GET', url: at('/a'), headers: {} }, EMPTY_SHA256, THEN)),
    ]
    for (const text of signed) expect(decodeURIComponent(text)).not.toContain(KEYS.secretKey)
  })
})
