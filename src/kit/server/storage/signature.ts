import { createHash, createHmac } from 'node:crypto'

export type Keys = { readonly accessKey: string; readonly secretKey: string; readonly region: string }
type Asked = { readonly method: string; readonly url: URL; readonly headers: Readonly<Record<string, string>> }

const ALGORITHM = 'AWS4-HMAC-SHA256'
const UNSIGNED = 'UNSIGNED-PAYLOAD'
export const EMPTY_SHA256 = createHash('sha256').digest('hex')

/**
 * AWS Signature Version 4, as every S3-speaking storage asks for it. Our own, because it is short, checked against the
 * published examples, and the keys to all files pass through no stranger's code.
 */
export function signHeaders(keys: Keys, asked: Asked, sha256: string, now: Date): Record<string, string> {
  const time = timeOf(now)
  const headers = { ...asked.headers, host: asked.url.host, 'x-amz-content-sha256': sha256, 'x-amz-date': time }
  const names = Object.keys(headers).sort()
  const signature = sign(keys, time, { ...asked, headers }, names, sha256)
  const { host: _, ...sent } = headers
  const credential = `${keys.accessKey}/${scopeOf(keys, time)}`
  return {
    ...sent,
    authorization: `${ALGORITHM} Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

/** An address that reads one object without keys, for so long. */
export function signLink(keys: Keys, url: URL, now: Date, lifeMs: number): string {
  const time = timeOf(now)
  const signed = new URL(url)
  const parameters = {
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${keys.accessKey}/${scopeOf(keys, time)}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(Math.floor(lifeMs / 1_000)),
    'X-Amz-SignedHeaders': 'host',
  }
  for (const [name, value] of Object.entries(parameters)) signed.searchParams.set(name, value)
  const asked = { method: 'GET', url: signed, headers: { host: url.host } }
  signed.searchParams.set('X-Amz-Signature', sign(keys, time, asked, ['host'], UNSIGNED))
  return signed.href
}

function sign(keys: Keys, time: string, asked: Asked, names: readonly string[], sha256: string): string {
  const query = [...asked.url.searchParams]
    .map(pair => pair.map(strictly).join('='))
    .sort()
    .join('&')
  const headers = names.map(name => `${name}:${asked.headers[name]}\n`).join('')
  const canonical = [asked.method, asked.url.pathname, query, headers, names.join(';'), sha256].join('\n')
  const hash = createHash('sha256').update(canonical).digest('hex')
  return hmac(keyOf(keys, time), [ALGORITHM, time, scopeOf(keys, time), hash].join('\n')).toString('hex')
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const keyOf = ({ secretKey, region }: Keys, time: string): Buffer =>
  [time.slice(0, 8), region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretKey}`) as Buffer
const scopeOf = ({ region }: Keys, time: string): string => `${time.slice(0, 8)}/${region}/s3/aws4_request`
const timeOf = (at: Date): string => at.toISOString().replace(/[:-]|\.\d{3}/g, '')
/** encodeURIComponent leaves five characters that a signature wants encoded. */
const strictly = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, one => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
