import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyDatabase } from './testing/instance.ts'
import { Processes } from './testing/process.ts'
import type { Settings } from './testing/program.ts'

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
    expect(found('CMD')).toEqual(['CMD ["node", "tools/serve.mjs"]'])
    for (const [, paths = ''] of last.join('\n').matchAll(/^COPY (?!--from)(.+) \S+$/gm))
      for (const path of paths.split(' ')) expect(existsSync(new URL(`../${path}`, import.meta.url)), path).toBe(true)
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

/** Commands of the README that work on a checkout, not on an installation. */
const OF_DEVELOPMENT = ['dev', 'check', 'format', 'new', 'test:long']

describe('what the image holds', { timeout: 180_000 }, () => {
  const processes = new Processes()
  let layout: string
  let settings: Settings
  beforeAll(async () => {
    layout = await laidOut(processes)
    settings = {
      ...Object.fromEntries(
        found('ENV').flatMap(line =>
          line
            .split(' ')
            .slice(1)
            .map(pair => pair.split('=') as [string, string]),
        ),
      ),
      ...(await processes.settings()),
    }
  }, 600_000)
  afterAll(() => processes.end())

  const command = (name: string, ...args: string[]) => processes.command(settings, name, args, layout)
  const done = async (name: string, ...args: string[]) => {
    const run = await command(name, ...args)
    expect(await run.exited, `${name}: ${run.output()}`).toBe(0)
    return run.output()
  }

  test('is all that its start and its question after its health need', async () => {
    const [program = '', ...args] = JSON.parse(found('CMD')[0]?.slice('CMD '.length) ?? '[]')
    expect(program).toBe('node')
    const run = processes.node(settings, args, { cwd: layout })
    await run.ready
    const [, , ...question] = JSON.parse(/CMD (\[.*\])/.exec(found('HEALTHCHECK')[0] ?? '')?.[1] ?? '[]')
    expect(await processes.node(settings, ['-e', ...question], { cwd: layout }).exited).toBe(0)
    run.child.kill('SIGTERM')
    expect(await run.exited).toBe(0)
  })

  test('is all that the commands of the README need', async () => {
    const backup = join(await processes.folder(), 'backup')
    const empty = await emptyDatabase()
    const runs: Record<string, () => Promise<unknown>> = {
      'admin:create': () => done('admin:create', '--username', 'second'),
      seed: () => done('seed', '--orders', '20'),
      access: async () => {
        const client = new pg.Client({ connectionString: settings.DATABASE_URL })
        await client.connect()
        await client.query(`insert into role (code, name, scope) values ('CLERK', 'Clerk', 'SELF')`)
        await client.end()
        await done('access', 'grant', 'CLERK', 'order-list', 'list')
      },
      doctor: () => done('doctor'),
      'print-config': () => done('print-config'),
      backup: () => done('backup', '--to', backup),
      restore: () => done('restore', '--from', backup, '--into', empty.url),
      simulate: async () => {
        const run = await command('simulate')
        await expect.poll(run.output, { timeout: 30_000 }).toContain('Ctrl-C ends it')
        run.child.kill('SIGINT')
        expect(await run.exited).toBe(0)
      },
    }
    const all = [...read('README.md').matchAll(/`npm run ([a-z:-]+)/g)].map(([, name]) => name)
    const named = [...new Set(all)]
    expect(named.filter(name => !OF_DEVELOPMENT.includes(name ?? '')).sort()).toEqual(Object.keys(runs).sort())
    for (const run of Object.values(runs)) await run()
    await empty.drop()
  })
})

/** The files of the last stage in a folder, by its COPY lines; packages as the stage before it leaves them. */
async function laidOut(processes: Processes): Promise<string> {
  const layout = await processes.folder()
  const root = fileURLToPath(new URL('..', import.meta.url))
  for (const line of found('COPY')) {
    const words = line.split(' ').slice(1)
    const to = join(layout, words.at(-1) ?? '')
    if (line.includes('--from=packages')) await linkPackages(root, to)
    else if (line.includes('--from=build')) await symlink(join(root, 'dist'), to)
    else
      for (const path of words.slice(0, -1))
        await cp(join(root, path), to.endsWith('/') ? join(to, basename(path)) : to, { recursive: true })
  }
  const [, noted = ''] = /&& node --input-type=module -e "(.+)"$/m.exec(instructions.join('\n')) ?? []
  const noting = processes.node({}, ['--input-type=module', '-e', noted], { cwd: layout })
  expect(await noting.exited, noting.output()).toBe(0)
  return layout
}

/** What `npm install --omit=dev` installs here, without what is then removed. */
async function linkPackages(root: string, to: string): Promise<void> {
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { dev?: boolean }> }
  const removed = (/rm -rf (.+?) &&/.exec(instructions.join('\n'))?.[1] ?? '').trim().split(' ')
  const isRemoved = (path: string) => removed.some(pattern => path.startsWith(pattern.replace(/\*$/, '')))
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? []
    if (!name || dev || isRemoved(path) || !existsSync(join(root, path))) continue
    await mkdir(dirname(join(to, name)), { recursive: true })
    await symlink(join(root, path), join(to, name))
  }
}

describe('the compose file', () => {
  const text = read('compose.yaml')

  test('holds no password of its own', () => {
    for (const [, value] of text.matchAll(/PASSWORD: (.+)/g)) expect(value).toMatch(/^\$\{/)
    for (const [, value] of text.matchAll(/DATABASE_URL: (.+)/g)) expect(value).toMatch(/:\$\{POSTGRES_PASSWORD\}@/)
  })

  test('lets in this machine alone, and gives the console no more rights than it needs', () => {
    const [own = '', proxy = ''] = text.split('\n  proxy:\n')
    const ports = (of: string) => [...of.matchAll(/- "([\d.:]+)"/g)].map(match => match[1])
    expect(ports(own)).toEqual(['127.0.0.1:8000:8000'])
    // Others come in by the proxy alone, and only where it is asked for.
    expect(ports(proxy)).toEqual(['80:80', '443:443'])
    expect(proxy).toContain('profiles: [public]')
    for (const line of ['read_only: true', 'no-new-privileges:true', '- ALL']) expect(text).toContain(line)
  })

  test('believes the proxy on where callers come from, and nobody else', () => {
    const proxy = /TRUSTED_PROXIES: ([\d.]+)\n/.exec(text)?.[1]
    expect(text.split('\n  proxy:\n')[1]).toContain(`ipv4_address: ${proxy}\n`)
    expect(read('Caddyfile')).toContain(`reverse_proxy ${/front:\n\s+ipv4_address: ([\d.]+)/.exec(text)?.[1]}:8000`)
  })

  const console_ = /\n {2}console:\n([\s\S]+?)\n {2}\w+:\n/.exec(text)?.[1] ?? ''

  test('waits for the database, and gives calls more time to end than they take', () => {
    expect(console_).toContain('condition: service_healthy')
    const drainMs = Number(/DRAIN_MS = ([\d_]+)/.exec(read('src/server.ts'))?.[1]?.replaceAll('_', ''))
    expect(Number(/stop_grace_period: (\d+)s/.exec(console_)?.[1]) * 1_000).toBeGreaterThan(drainMs + 2_000)
  })

  test('asks whether the console is ready, and starts it again after the machine', () => {
    expect(/healthcheck:\n\s+test: (.+)/.exec(console_)?.[1]).toContain('/ready')
    expect(console_).toContain('restart: unless-stopped')
  })
})
