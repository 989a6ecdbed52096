import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestInstance, type TestInstance } from '../../../../tools/testing/instance.ts'
import { serveConsole } from './static.ts'

describe('the built console', () => {
  let instance: TestInstance
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'inkstone-console-'))
    await mkdir(join(folder, 'assets'))
    await mkdir(join(folder, '.vite'))
    await writeFile(join(folder, 'index.html'), '<!doctype html><title>Inkstone</title>')
    await writeFile(join(folder, 'mark.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
    await writeFile(join(folder, 'assets', 'index-B2xk9Q3a.js'), 'export {}')
    await writeFile(join(folder, 'assets', 'index-B2xk9Q3a.js.br'), brotliCompressSync('export {}'))
    await writeFile(join(folder, '.vite', 'manifest.json'), '{}')
    instance = await openTestInstance()
    await serveConsole(instance.http, folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const get = (url: string, headers = {}) => instance.http.inject({ method: 'GET', url, headers })

  test('the page is asked for again each time, and may not be framed', async () => {
    const answer = await get('/')
    expect(answer.body).toContain('<title>Inkstone</title>')
    expect(answer.headers['cache-control']).toBe('no-cache')
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  test('a script with a hash in its name is kept for a year', async () => {
    const answer = await get('/assets/index-B2xk9Q3a.js')
    expect(answer.headers['content-type']).toContain('javascript')
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  test('a browser that takes brotli gets the smaller copy of the same script', async () => {
    const answer = await get('/assets/index-B2xk9Q3a.js', { 'accept-encoding': 'gzip, br' })
    expect(answer.headers['content-encoding']).toBe('br')
    expect(answer.headers['content-type']).toContain('javascript')
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  test('a script of an older version is missing, and not the page under another name', async () => {
    const answer = await get('/assets/index-00000000.js')
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['content-type']).not.toContain('html')
  })

  test.each([
    '/order/list',
    '/index',
    '/.vite/manifest.json',
    '/assets',
    '/..%2f..%2fpackage.json',
    '/%2e%2e/package.json',
  ])('nothing is given for %s', async url => {
    const answer = await get(url)
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.body).not.toMatch(/<title>|"inkstone"/)
  })

  test('a call that does not exist is answered as a call, not as a file', async () => {
    const answer = await get('/api/nowhere')
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({ code: 4004, data: null })
  })
})
