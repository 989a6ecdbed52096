import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const instructions = read('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, ' ')
  .split('\n')
  .filter(line => line.trim() !== '')
const last = instructions.slice(instructions.findLastIndex(line => line.startsWith('FROM ')))
const found = (name: string) => last.filter(line => line.startsWith(`${name} `))

describe('the image', () => {
  test('is made in stages, and only the last one ships', () => {
    expect(instructions.filter(line => line.startsWith('FROM '))).toHaveLength(3)
    for (const line of instructions.filter(line => line.startsWith('FROM ')))
      expect(line).toMatch(/^FROM node:24-slim( AS \w+)?$/)
  })

  test('runs as a user without rights, set before anything is started', () => {
    expect(found('USER')).toEqual(['USER 10001:10001'])
    expect(last.findIndex(line => line.startsWith('USER'))).toBeLessThan(last.findIndex(line => line.startsWith('CMD')))
    expect(last.slice(last.findIndex(line => line.startsWith('USER'))).some(line => line.startsWith('RUN'))).toBe(false)
  })

  test('asks the process for its health, and starts what exists', () => {
    expect(found('HEALTHCHECK').join()).toContain('/health')
    expect(found('CMD')).toEqual(['CMD ["node", "src/server.ts"]'])
    for (const [, path] of last.join('\n').matchAll(/^COPY (?!--from)(\S+) /gm))
      expect(existsSync(new URL(`../${path}`, import.meta.url)), path).toBe(true)
  })

  test('holds no secret and fetches nothing but packages', () => {
    const text = instructions.join('\n')
    expect(text).not.toMatch(/^(ARG|ENV).*(PASSWORD|SECRET|TOKEN|DATABASE_URL)/im)
    expect(text).not.toMatch(/^ADD |curl|wget/m)
    expect(read('.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['data', '.git', 'node_modules', '.cache']),
    )
  })

  test('leaves scripts of packages unrun', () => {
    for (const line of instructions.filter(line => line.includes('npm install')))
      expect(line).toContain('--ignore-scripts')
  })
})

describe('the compose file', () => {
  const text = read('compose.yaml')

  test('holds no password of its own', () => {
    for (const [, value] of text.matchAll(/PASSWORD: (.+)/g)) expect(value).toMatch(/^\$\{/)
    for (const [, value] of text.matchAll(/DATABASE_URL: (.+)/g)) expect(value).toMatch(/:\$\{POSTGRES_PASSWORD\}@/)
  })

  test('lets in this machine alone, and gives the console no more rights than it needs', () => {
    expect([...text.matchAll(/- "([\d.:]+)"/g)].map(match => match[1])).toEqual(['127.0.0.1:8000:8000'])
    for (const line of ['read_only: true', 'no-new-privileges:true', '- ALL']) expect(text).toContain(line)
  })

  test('waits for the database, and gives calls time to end', () => {
    expect(text).toContain('condition: service_healthy')
    expect(Number(/stop_grace_period: (\d+)s/.exec(text)?.[1])).toBeGreaterThan(10)
  })
})
