import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BadSettings, printable, readEnv } from './env.ts'

const URL = 'postgresql://ink:hidden@db/ink'

describe('settings', () => {
  test('have the defaults of the contract, and demo data on a database of their own', () => {
    expect(readEnv({})).toMatchObject({
      PORT: 8000,
      HOST: '127.0.0.1',
      DATA_DIR: './data',
      SEED: 'demo',
      SIMULATE: 'on',
      ADMIN_USERNAME: 'admin',
      CAPTCHA: 'on',
      DEFAULT_LOCALE: 'zh-CN',
      RECONNECT_FACTOR: 1.2,
      SECURITY_PROFILE: 'default',
      LOG_LEVEL: 'info',
    })
  })

  test('keep demo data away from an outside database, unless they are asked for', () => {
    expect(readEnv({ DATABASE_URL: URL })).toMatchObject({ SEED: 'none', SIMULATE: 'off' })
    expect(readEnv({ DATABASE_URL: URL, SEED: 'demo' })).toMatchObject({ SEED: 'demo', SIMULATE: 'on' })
  })

  test('an easy captcha is for demo data only', () => {
    expect(() => readEnv({ DATABASE_URL: URL, CAPTCHA: 'off' })).toThrow(/CAPTCHA/)
    expect(() => readEnv({ DATABASE_URL: URL, CAPTCHA: 'fixed:INK8' })).toThrow(/CAPTCHA/)
    expect(readEnv({ CAPTCHA: 'fixed:INK8' }).CAPTCHA).toBe('fixed:INK8')
  })

  test('a secret may stand in a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'inkstone-env-'))
    writeFileSync(join(folder, 'password'), 'seven-brushes-dry\n')
    expect(readEnv({ ADMIN_PASSWORD_FILE: join(folder, 'password') }).ADMIN_PASSWORD).toBe('seven-brushes-dry')
    expect(() => readEnv({ ADMIN_PASSWORD_FILE: join(folder, 'none') })).toThrow(/ADMIN_PASSWORD_FILE/)
    rmSync(folder, { recursive: true })
  })

  test('are all judged at once', () => {
    expect(() => readEnv({ PORT: '70000', SEED: 'all', LOG_LEVEL: 'loud' })).toThrow(/PORT.*\n.*SEED.*\n.*LOG_LEVEL/)
  })

  test.each([
    { PORT: '-1' },
    { PORT: '80.5' },
    { PORT: 'http' },
    { DATABASE_URL: 'mysql://x' },
    { DATABASE_URL: 'db:5432' },
    { FILES_URL: 'https://storage.example/bucket' },
    { FILES_URL: 's3://key:secret@storage.example/bucket' },
    { FILES_URL: 's3://storage.example' },
    { FILES_URL: 's3://storage.example/B' },
    { FILES_URL: 's3://storage.example/bucket/%2e%2e/x' },
    { FILES_URL: 's3://storage.example/bucket?tls=off' },
    { FILES_URL: 's3://storage.example/bucket?style=virtual' },
    { FILES_URL: 's3://storage.example/bucket?regoin=cn' },
    { SEED: 'Demo' },
    { SIMULATE: 'yes' },
    { ADMIN_USERNAME: 'Admin' },
    { ADMIN_USERNAME: 'a' },
    { ADMIN_USERNAME: 'a b' },
    { ADMIN_PASSWORD: 'short' },
    { CAPTCHA: 'maybe' },
    { CAPTCHA: 'fixed:' },
    { DEFAULT_LOCALE: 'zh-TW' },
    { DEFAULT_LOCALE: 'en' },
    { RECONNECT_FACTOR: '1.25' },
    { SECURITY_PROFILE: 'strict' },
    { LOG_LEVEL: 'loud' },
    { INBOX_SECRET: 'short' },
    { WECHAT_PAY_MCH_ID: '1900000109' },
    { ALIPAY_APP_ID: '2021000000000001', ALIPAY_PRIVATE_KEY: 'key' },
    { WECHAT_PAY_NOTIFY_URL: 'http://console.example/' },
  ])('%j is refused', settings => {
    expect(() => readEnv(settings as Record<string, string>)).toThrow(BadSettings)
  })

  test('what is left empty counts as not set', () => {
    expect(readEnv({ DATABASE_URL: '', PORT: '' })).toMatchObject({ PORT: 8000, SEED: 'demo' })
  })

  test('are printed without their secrets', () => {
    const shown = printable(
      readEnv({ DATABASE_URL: URL, INBOX_SECRET: 'sixteen-signs-or-more', ADMIN_PASSWORD: 'seven-brushes-dry' }),
    )
    expect(shown).toMatchObject({ DATABASE_URL: '***', INBOX_SECRET: '***', ADMIN_PASSWORD: '***', PORT: '8000' })
    expect(JSON.stringify(shown)).not.toMatch(/hidden|sixteen|seven/)
  })
})
