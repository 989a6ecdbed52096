import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { hasAdmin } from '#kit/server/auth/admin.ts'
import { findDemoAccounts } from '#kit/server/auth/demo-account.ts'
import { readCatalogue } from '#kit/server/catalogue.ts'
import { findBroken, repairKept } from '#kit/server/change/invariants.ts'
import { findAltered } from '#kit/server/change/log-check.ts'
import { type Database, openDatabase } from '#kit/server/database/database.ts'
import { readMigrations } from '#kit/server/database/migrate.ts'
import type { Env } from '#kit/server/process/env.ts'
import { misfits } from '#kit/server/setting/check.ts'
import { KEPT_SECRETS } from './backup-format.ts'
import { type Command, readOptions, WrongUse, withDatabase } from './command.ts'
import { findFilesInFolder, findMissingFiles, findStorageFaults } from './doctor-files.ts'
import { findAside } from './doctor-log.ts'
import { proveErased } from './doctor-member.ts'

const USAGE = 'npm run doctor [-- --repair] [-- --member <id>]'
const MAX_CLOCK_MS = 2_000
const MIN_FREE = 0.05
const STUCK_MINUTES = 10
const MAX_NOTES = 20
const LOOPBACK = /^(127\.|localhost$|::1$)/

type Patient = { readonly env: Env; readonly db: Database }
type Check = {
  readonly name: string
  /** Faults. */
  look(patient: Patient): Promise<readonly string[]>
  /** What is nobody's fault, and somebody's work. */
  note?(patient: Patient): Promise<readonly string[]>
}

/**
 * Looks at everything an owner can mend; one line for each, and an exit code that says whether all is well. With --repair it
 * first reckons again what is kept beside the records, counts and sums by day, while the console goes on. With --member it looks
 * for one member alone, and proves that nothing is left of an account that was closed.
 */
export const doctor: Command = (args, env) => {
  const { values } = readOptions(args, USAGE, { options: { repair: { type: 'boolean' }, member: { type: 'string' } } })
  if (values.member !== undefined && !/^[1-9]\d{0,17}$/.test(values.member)) throw new WrongUse(`Usage: ${USAGE}`)
  return withDatabase(env, async url => {
    const db = openDatabase(url, 2)
    try {
      if (!(await row({ env, db }, `select to_regclass('migration') as known`)).known) {
        console.log('FAULT  the database holds no console yet; start the console once')
        return 1
      }
      if (values.member) return await proveErased({ env, db }, values.member)
      if (values.repair)
        for (const { name, rows } of await repairKept(db, await readCatalogue()))
          console.log(`mended ${name} (${rows} of them)`)
      let faults = 0
      for (const { name, look, note } of CHECKS) {
        const found = await look({ env, db }).catch((error: Error) => [error.message])
        const notes = (await note?.({ env, db }).catch((error: Error) => [error.message])) ?? []
        faults += found.length
        console.log(found.length === 0 ? `ok     ${name}` : found.map(fault => `FAULT  ${name}: ${fault}`).join('\n'))
        for (const line of notes) console.log(`note   ${line}`)
      }
      console.log(
        faults === 0 ? 'All is well.' : `${faults} ${faults === 1 ? 'thing needs' : 'things need'} attention.`,
      )
      return faults === 0 ? 0 : 1
    } finally {
      await db.close()
    }
  })
}

const row = async ({ db }: Patient, sql: string): Promise<Record<string, unknown>> =>
  (await db.read.pool.query(sql)).rows[0] ?? {}

const CHECKS: readonly Check[] = [
  {
    name: 'the settings fit together',
    async look({ env, db }) {
      const open = !LOOPBACK.test(env.HOST)
      const demo = await findDemoAccounts({ env, db })
      return open && demo.length > 0
        ? [`${demo.length} accounts have the demo password, and HOST ${env.HOST} lets other machines in`]
        : []
    },
    async note({ env }) {
      const keys = { 'WeChat Pay': env.WECHAT_PAY_MCH_ID, Alipay: env.ALIPAY_APP_ID }
      return Object.entries(keys)
        .filter(([, key]) => key === undefined)
        .map(([name]) => `${name} has no keys: what goes back by it is simulated, and no money moves`)
    },
  },
  {
    name: 'the database is PostgreSQL 15 or newer, in UTF-8',
    async look(patient) {
      const { version, encoding } = await row(
        patient,
        `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
      )
      return [
        ...(Number(version) >= 150_000 ? [] : [`its version is ${version}`]),
        ...(encoding === 'UTF8' ? [] : [`its encoding is ${encoding}; Chinese needs UTF8`]),
      ]
    },
  },
  {
    name: 'the clocks of console and database agree',
    async look(patient) {
      const before = Date.now()
      const { now } = await row(patient, 'select extract(epoch from clock_timestamp()) * 1000 as now')
      const offset = Math.round(Number(now) - (before + Date.now()) / 2)
      return Math.abs(offset) <= MAX_CLOCK_MS
        ? []
        : [`they are ${offset} ms apart; sign-in and signed events go by the time`]
    },
  },
  {
    name: 'every migration is applied and unchanged',
    async look({ db }) {
      const { rows } = await db.read.pool.query<{ name: string; checksum: string }>(
        'select name, checksum from migration',
      )
      const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
      const known = await readMigrations()
      return [
        ...known
          .filter(({ name }) => !applied.has(name))
          .map(({ name }) => `${name} is not applied; start the console once`),
        ...known
          .filter(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)
          .map(({ name }) => `${name} was changed after it was applied`),
        ...[...applied.keys()]
          .filter(name => !known.some(migration => migration.name === name))
          .map(name => `${name} is of a newer version`),
      ]
    },
  },
  {
    name: 'the disk of the data folder has room',
    async look({ env }) {
      const { bavail, blocks } = await statfs(env.DATA_DIR)
      return bavail / blocks >= MIN_FREE ? [] : [`${Math.floor((bavail / blocks) * 100)} % are free`]
    },
  },
  {
    name: 'secrets in the data folder are read by their owner alone',
    async look({ env }) {
      const modes = await Promise.all(
        KEPT_SECRETS.map(async name => ({ name, found: await stat(join(env.DATA_DIR, name)).catch(() => undefined) })),
      )
      return modes
        .filter(({ found }) => found && (found.mode & 0o077) !== 0)
        .map(({ name }) => `others may read ${name}; set its mode to 600`)
    },
  },
  {
    name: 'somebody can administer',
    look: async ({ db }) =>
      (await hasAdmin(db)) ? [] : ['no enabled super administrator; run: npm run admin:create -- --username <name>'],
  },
  {
    name: 'the records hold together',
    look: async ({ db }) =>
      (await findBroken(db, await readCatalogue())).map(
        ({ name, rows }) =>
          `not true that ${name} (${rows
            .map(found => JSON.stringify(found))
            .slice(0, 3)
            .join(', ')})`,
      ),
  },
  {
    name: 'the business settings fit what is declared',
    look: async ({ db }) => misfits(db.read, (await readCatalogue()).settings),
  },
  {
    name: 'the operation log tells who and when',
    async look(patient) {
      const { ahead, nameless } = await row(
        patient,
        `select count(*) filter (where at > now() + interval '5 minutes')::int as ahead,
                -- Without an address nobody called: the console did it by itself.
                count(*) filter (where actor_id is null and actor_name = '' and address <> '')::int as nameless from operation_log`,
      )
      return [
        ...(ahead ? [`${ahead} lines are from the future`] : []),
        ...(nameless ? [`${nameless} lines name nobody`] : []),
      ]
    },
  },
  {
    name: 'the operation log is as it was sealed',
    look: async ({ db }) => {
      const altered = await findAltered(db)
      return altered ? [altered] : []
    },
    note: ({ db }) => findAside(db.read.pool),
  },
  {
    name: 'events and tasks are not stuck',
    async look(patient) {
      const { events, tasks } = await row(
        patient,
        `select (select count(*)::int from inbox_event where outcome = 'WAITING' and awaits is null and received_at < now() - interval '${STUCK_MINUTES} minutes') as events,
                (select count(*)::int from task where state in ('WAITING', 'RUNNING') and coalesce(heartbeat_at, created_at) < now() - interval '${STUCK_MINUTES} minutes') as tasks`,
      )
      return [
        ...(events ? [`${events} events wait longer than ${STUCK_MINUTES} minutes`] : []),
        ...(tasks ? [`${tasks} tasks do`] : []),
      ]
    },
    async note(patient) {
      const { awaiting, refused } = await row(
        patient,
        `select (select count(*)::int from inbox_event where outcome = 'WAITING' and awaits is not null) as awaiting,
                (select count(*)::int from inbox_event where outcome = 'REFUSED' and received_at > now() - interval '7 days') as refused`,
      )
      return [
        ...(awaiting ? [`${awaiting} events wait for another one, such as a registration`] : []),
        ...(refused ? [`${refused} events of the last 7 days were refused; inbox_event keeps the reason of each`] : []),
      ]
    },
  },
  {
    name: 'what waits for a decision can be told',
    look: async () => [],
    async note({ db }) {
      const { slices } = await readCatalogue()
      const told = slices.flatMap(slice =>
        slice.openWork.map(async ({ name, query, say }) => {
          const { rows } = await db.read.pool.query(`select * from (${query}) w limit ${MAX_NOTES + 1}`)
          return [...rows.slice(0, MAX_NOTES).map(say), ...(rows.length > MAX_NOTES ? [`and more of it: ${name}`] : [])]
        }),
      )
      return (await Promise.all(told)).flat()
    },
  },
  {
    name: 'a bucket for files, if there is one, takes, gives and removes',
    look: ({ env }) => findStorageFaults(env),
  },
  {
    name: 'every stored file is there',
    look: findMissingFiles,
    note: findFilesInFolder,
  },
]
