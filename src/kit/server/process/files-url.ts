/** A bucket of an object storage, as FILES_URL names it. */
export type BucketPlace = {
  /** Of the bucket itself, without a slash at its end. */
  readonly root: string
  /** What the names of our objects begin with: empty, or a folder and its slash. */
  readonly folder: string
  readonly region: string
}

export const FILES_URL_FORM = 's3://<host>/<bucket>[/<folder>][?region=<region>&style=host|path&tls=off]'

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const FOLDER = /^[\w-][\w.-]*$/
const THIS_MACHINE = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/
const OPTIONS = ['region', 'style', 'tls']

/** Nothing when the text is no such address; keys never stand in it, so that it may be shown. */
export function readFilesUrl(text: string): BucketPlace | undefined {
  const url = URL.parse(text.replace(/^s3:/, 'https:'))
  if (!text.startsWith('s3://') || !url || url.username || url.password || url.hash) return undefined
  const [bucket = '', ...folders] = url.pathname.slice(1).replace(/\/$/, '').split('/')
  const { region = 'us-east-1', style = 'path', tls = 'on', ...unknown } = Object.fromEntries(url.searchParams)
  if (!BUCKET.test(bucket) || !folders.every(folder => FOLDER.test(folder))) return undefined
  if (!/^[a-z0-9-]+$/.test(region) || !/^(path|host)$/.test(style) || Object.keys(unknown).length > 0) return undefined
  if (url.searchParams.size > new Set(OPTIONS.filter(name => url.searchParams.has(name))).size) return undefined
  // Pictures of children do not cross a network in the open.
  if (tls !== 'on' && !(tls === 'off' && THIS_MACHINE.test(url.hostname))) return undefined
  const scheme = tls === 'off' ? 'http' : 'https'
  const root = style === 'host' ? `${scheme}://${bucket}.${url.host}` : `${scheme}://${url.host}/${bucket}`
  return { root, folder: folders.map(folder => `${folder}/`).join(''), region }
}
