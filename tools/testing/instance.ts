import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { CODES, type Envelope } from '../../src/kit/model/contract.ts'
import type { Change } from '../../src/kit/server/app.ts'
import type { Catalogue } from '../../src/kit/server/catalogue.ts'
import { ownChange } from '../../src/kit/server/change/operation.ts'
import { LOCK_NOT_AVAILABLE, sqlState, type Tx } from '../../src/kit/server/database/database.ts'
import { Overloaded } from '../../src/kit/server/database/lanes.ts'
import { readEnv } from '../../src/kit/server/process/env.ts'
import { openLog } from '../../src/kit/server/process/log.ts'
import { type Instance, openInstance } from '../../src/kit/server/start/start.ts'
import { databaseUrl, onServer } from './database.ts'
import { closeLedger, keepLedger, note } from './ledger.ts'

/** A clock that stands still until it is told to move. */
export type TestClock = { now(): Date; set(instant: string | Date): void; forward(ms: number): void }

// Never a time that ends in zero: PostgreSQL leaves such digits out, and what was stored would not read as what was set.
const unevenNow = () => new Date(Math.floor(Date.now() / 10) * 10 + 7)

export function stoppedClock(start = unevenNow()): TestClock {
  let at = start
  return {
    now: () => at,
    set: instant => {
      at = new Date(instant)
    },
    forward: ms => {
      at = new Date(at.getTime() + ms)
    },
  }
}

export type TestInstance = Instance & {
  readonly url: string
  readonly clock: TestClock
  /** Everything the instance logged, line by line. */
  readonly logged: string[]
  /** What the console does of its own accord: in one transaction, at the instance's time. */
  changing<T>(work: (change: Change) => Promise<T>): Promise<T>
}

/**
 * A database of its own, cloned from the template or from another at which nobody works: truly committed, so that locks,
 * signals and races are real.
 */
export const cloneDatabase = (of: string = inject('templateUrl')) =>
  // Copied as files: a quarter of what it costs through the log.
  newDatabase(` template ${new URL(of).pathname.slice(1)} strategy file_copy`)

/** A database that holds nothing, not even tables. */
export const emptyDatabase = () => newDatabase('')

async function newDatabase(like: string): Promise<{ url: string; drop(): Promise<void> }> {
  const server = inject('templateUrl')
  const name = `inkstone_${randomUUID().replaceAll('-', '')}`
  await onServer(server, client => client.query(`create database ${name}${like}`))
  return {
    url: databaseUrl(server, name),
    drop: () =>
      onServer(server, async client => void (await client.query(`drop database if exists ${name} with (force)`))),
  }
}

/** Longer than any honest wait on busy cores. */
const PATIENT_MS = 100_000

export async function openTestInstance(
  options: {
    url?: string
    /** What its own database is a copy of, if not of the template. */
    like?: string
    env?: Record<string, string>
    clock?: TestClock
    catalogue?: Catalogue
    /** Whether calls to the outside leave by themselves, and not only when `outbox.run` says so. */
    isSending?: boolean
    /** Few unless said: many instances stand on the one server of a run. */
    connections?: number
    /** How long a call waits for one of those: where they are few, as long as its test, unless it is told. */
    waitMs?: number
  } = {},
): Promise<TestInstance> {
  const own = options.url ? undefined : await cloneDatabase(options.like)
  const url = options.url ?? own?.url ?? ''
  const clock = options.clock ?? stoppedClock()
  const logged: string[] = []
  const log = openLog('debug', {
    write: line => {
      logged.push(line)
      note('log', 'log', line)
    },
  })
  const env = readEnv({
    DATABASE_URL: url,
    SEED: 'demo',
    SIMULATE: 'off',
    CAPTCHA: 'fixed:INK8',
    PORT: '0',
    INBOX_SECRET: 'only-for-tests-0123456789',
    CODE_SECRET: 'codes-only-for-tests-0123456789',
    ...options.env,
  })
  const { connections = 6, isSending = true } = options
  const waitMs = options.waitMs ?? (options.connections === undefined ? PATIENT_MS : undefined)
  const given = options.catalogue ? { catalogue: options.catalogue } : {}
  const instance = await openInstance({
    env,
    url,
    log,
    clock,
    checkAnswers: true,
    connections,
    waitMs,
    isSending,
    ...given,
  })
  keepLedger(instance.http)
  const close = async () => {
    if (!opened.delete(close)) return
    await instance.close()
    await own?.drop()
  }
  opened.add(close)
  const { app } = instance
  const changing = <T>(work: (change: Change) => Promise<T>) =>
    insist(() => app.db.write(tx => work(ownChange(app, tx, clock.now(), 'test'))))
  return { ...instance, url, clock, logged, changing, close }
}

const opened = new Set<() => Promise<void>>()

/** Called after each file (server-setup.ts): a hook set from inside another hook is never run. */
export async function closeTestInstances(): Promise<void> {
  await Promise.all([...opened].map(close => close()))
  closeLedger()
}

export type Answer<T = unknown> = Envelope<T> & { status: number; headers: Record<string, unknown>; body: string }

/** Somebody who calls over HTTP, as one person or as nobody. */
export type Caller = {
  readonly id: string
  readonly token: string
  get<T = never>(path: string, headers?: Record<string, string>): Promise<Answer<T>>
  post<T = never>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>
  put<T = never>(path: string, body: unknown): Promise<Answer<T>>
  remove<T = never>(path: string): Promise<Answer<T>>
}

export function caller(instance: Instance, id = '', token = ''): Caller {
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const answer = await instance.http.inject({
      method,
      url: `/api${path}`,
      headers: { 'accept-language': 'en-US', ...(token ? { authtoken: token } : {}), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    const json = answer.headers['content-type']?.toString().startsWith('application/json') ? answer.json() : {}
    return { ...json, status: answer.statusCode, headers: answer.headers, body: answer.body } as Answer<never>
  }
  return {
    id,
    token,
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body ?? {}, headers),
    put: (path, body) => call('PUT', path, body),
    remove: path => call('DELETE', path),
  }
}

/** Asks again while the console says it is too busy, as the browser would: a slow machine is no lost race. */
export async function patiently<T>(ask: () => Promise<Answer<T>>): Promise<Answer<T>> {
  for (;;) {
    const answer = await ask()
    if (answer.code !== CODES.unavailable) return answer
  }
}

/** As `patiently`, below HTTP, where being too busy is an error. */
export async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const isBusy = error instanceof Overloaded || sqlState(error) === LOCK_NOT_AVAILABLE
      if (!isBusy && !/timeout exceeded when trying to connect|connection timeout/.test(String(error))) throw error
    }
  }
}

export type PersonOptions = {
  name?: string
  /** Page key → actions; the role made for this person holds exactly these. */
  grants?: Record<string, readonly string[]>
  scope?: 'SELF' | 'SELF_AND_SUBORDINATES' | 'DEPARTMENT' | 'DEPARTMENT_AND_BELOW' | 'ALL' | 'CHOSEN'
  /** The departments the role names, where its scope is to be of chosen ones. */
  chosen?: readonly string[]
  superAdmin?: boolean
  orgId?: string
  managerId?: string
}

/** A person with a role of their own and an open session. */
export async function person(
  instance: Instance,
  options: PersonOptions = {},
): Promise<Caller & { orgId: string; role: string }> {
  const { db, sessions } = instance.app
  const mark = randomUUID().slice(0, 8)
  const orgId = options.orgId ?? (await org(instance))
  return db.write(async tx => {
    const staff = await tx
      .insertInto('staff')
      .values({
        account: `p-${mark}`,
        name: options.name ?? `Person ${mark}`,
        org_id: orgId,
        manager_id: options.managerId ?? null,
        password_hash: 'none',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const code = options.superAdmin ? 'SUPER_ADMIN' : `ROLE_${mark}`
    const known = await tx.selectFrom('role').select('id').where('code', '=', code).executeTakeFirst()
    const role =
      known ??
      (await tx
        .insertInto('role')
        .values({ code, name: code, scope: options.scope ?? 'ALL' })
        .returning('id')
        .executeTakeFirstOrThrow())
    await tx.insertInto('staff_role').values({ staff_id: staff.id, role_id: role.id }).execute()
    await grant(tx, role.id, options.grants ?? {})
    const { chosen = [] } = options
    if (chosen.length > 0) {
      const named = chosen.map(id => ({ role_id: role.id, org_id: id }))
      await tx.insertInto('role_org').values(named).execute()
    }
    const { token } = await sessions.open(tx, staff.id, { address: '127.0.0.1', device: 'test' })
    return { ...caller(instance, staff.id, token), orgId, role: code }
  })
}

/** Pages with some of their actions, at once, and reading no more of the permissions than those pages have. */
async function grant(tx: Tx, roleId: string, grants: NonNullable<PersonOptions['grants']>): Promise<void> {
  const pages = Object.keys(grants)
  if (pages.length === 0) return
  const menus = await tx
    .selectFrom('permission')
    .select(['id', 'resource_code as page'])
    .where('display_type', '=', 'MENU')
    .where('resource_code', 'in', pages)
    .execute()
  const unknown = pages.filter(page => menus.every(menu => menu.page !== page))
  if (unknown.length > 0) throw new Error(`no page ${unknown.join()}`)
  const actions = await tx
    .selectFrom('permission as p')
    .innerJoin('permission as menu', 'menu.id', 'p.parent_id')
    .select(['p.id', 'p.resource_code as action', 'menu.resource_code as page'])
    .where(
      'menu.id',
      'in',
      menus.map(({ id }) => id),
    )
    .execute()
  const held = actions.filter(({ page, action }) => ['', ...(grants[page] ?? [])].includes(action))
  const ids = [...menus, ...held].map(({ id }) => id)
  await sql`insert into role_permission (role_id, permission_id) select ${roleId}, unnest(${ids}::bigint[])`.execute(tx)
}

/** A department below `parent`, or a company of its own. */
export async function org(instance: Instance, parent?: { id: string; path: string }): Promise<string> {
  const mark = randomUUID().slice(0, 8)
  const { rows } = await instance.app.db.read.pool.query(
    `insert into org (id, parent_id, name, code, path) overriding system value
     select id, $1, $2, $2, $3 || id || '/' from nextval(pg_get_serial_sequence('org', 'id')) as id returning id`,
    [parent?.id ?? null, `ORG_${mark}`, parent?.path ?? '/'],
  )
  return rows[0].id
}
