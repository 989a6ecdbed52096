import type { FastifyBaseLogger } from 'fastify'
import { keyIn, type Settings, type ValuesOf, whyNotValue } from '#kit/model/setting.ts'
import type { Database, Tx } from '../database/database.ts'
import type { Signals } from '../database/signal.ts'

type Reading = Pick<Tx, 'selectFrom'>
type Stored = ReadonlyMap<string, number>

/** What people have set, as far as it differs from what was declared. */
export type SettingsInForce = { stored(db: Reading): Promise<Stored> }

/** The name under which instances tell each other that something was set. */
const CACHE = 'settings'

/**
 * Remembered until another instance, or this one, says that something was set; never while it could not hear that. It is
 * read by the connection of whoever asks: a change that waited for another connection could starve.
 */
export function openSettings(signals: Pick<Signals, 'on' | 'deaf'>): SettingsInForce {
  let known: Promise<Stored> | undefined
  // Left behind and not emptied: what is being read for it now may be what was before.
  signals.on('cache', ({ name }) => {
    if (name === CACHE) known = undefined
  })
  return {
    stored(db) {
      if (signals.deaf()) return readStored(db)
      // Whoever read it first may have lost his connection over it: that is no reason to fail here.
      if (known) return known.catch(() => readStored(db))
      const reading = readStored(db)
      known = reading
      reading.catch(() => {
        if (known === reading) known = undefined
      })
      return reading
    },
  }
}

async function readStored(db: Reading): Promise<Stored> {
  const rows = await db.selectFrom('business_setting').select(['key', 'value']).execute()
  return new Map(rows.map(({ key, value }) => [key, value]))
}

type Asking = {
  readonly settings: SettingsInForce
  readonly db: Pick<Database, 'query'>
  readonly log: FastifyBaseLogger
}

/** What is in force of a group now. Rules that run in a change ask by its transaction. */
export async function settingsOf<S extends Settings>(
  { settings, db, log }: Asking,
  { group, keys }: S,
  reading: Reading = db.query,
): Promise<ValuesOf<S>> {
  const stored = await settings.stored(reading)
  return Object.fromEntries(
    Object.entries(keys).map(([name, setting]) => {
      const value = stored.get(keyIn(group, name))
      if (value === undefined) return [name, setting.default]
      if (!whyNotValue(setting, value)) return [name, value]
      // Set under another version, with other bounds; the doctor says so too.
      log.error({ setting: keyIn(group, name), value }, 'a stored setting is out of its bounds: the default holds')
      return [name, setting.default]
    }),
  ) as ValuesOf<S>
}

type Setting = { readonly app: { readonly signals: Pick<Signals, 'send'> }; readonly tx: Tx; readonly now: Date }

/** Holds from the end of the transaction on, here and on every other instance that hears of it. */
export async function putInForce({ app, tx, now: since }: Setting, key: string, value: number): Promise<void> {
  await tx
    .insertInto('business_setting')
    .values({ key, value, since })
    .onConflict(known => known.column('key').doUpdateSet({ value, since }))
    .execute()
  await app.signals.send(tx, 'cache', { name: CACHE })
}
