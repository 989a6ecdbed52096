import { createHash, randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '#kit/model/actor.ts'
import { TOKEN_GRACE_MS, TOKEN_LIFE_MS } from '#kit/model/contract.ts'
import type { Language } from '#kit/model/language.ts'
import type { Clock } from '#kit/model/time.ts'
import type { Database, Tx } from '../database/database.ts'
import type { Signals } from '../database/signal.ts'
import type { Env } from '../process/env.ts'
import { isPasswordOld } from './password.ts'
import { openRights, type Rights } from './rights.ts'

export type Session = {
  readonly id: string
  /** The person with the rights in force: all of that person's, unless the console is looked at as a role does. */
  readonly actor: Actor
  /** The person with all rights. */
  readonly own: Actor
  readonly language: Language | null
  readonly mustChangePassword: boolean
  /** Signed in by password alone where a role or the profile asks for more: the second factor is set up first. */
  readonly mustEnrol: boolean
  readonly expiresAt: number
  /** When the token was given out: an old one is rotated. */
  readonly tokenAt: number
  /** When its person was last seen at work; told to the database at most once a minute. */
  activeAt: number
}

export type EndReason = 'LOGOUT' | 'FORCED' | 'DISABLED' | 'PASSWORD' | 'EXPIRED'

export type Sessions = {
  /** The session a token belongs to; nothing for an unknown, ended or expired one. */
  find(token: string): Promise<Session | undefined>
  /** The same by its id, for what is opened without the token (a socket by its ticket). */
  byId(sessionId: string): Promise<Session | undefined>
  /** Those of these sessions that neither ended nor expired, nor open the setting up alone: for what stays open without calling. */
  alive(sessionIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Also writes the token's hash only: the token itself is known to its holder alone. */
  open(
    tx: Tx,
    staffId: string,
    from: { address: string; device: string; mustEnrol?: boolean },
  ): Promise<{ sessionId: string; token: string }>
  /** A new token for a session whose own is older than a day; nothing when it is not due or another call was faster. */
  rotate(session: Session, token: string): Promise<string | undefined>
  end(tx: Tx, sessionIds: readonly string[], reason: EndReason): Promise<void>
  endAllOf(tx: Tx, staffId: string, reason: EndReason, except?: string): Promise<void>
  /** From now on the session sees what a role sees, until an instant; with none, what its person does. */
  preview(tx: Tx, session: { id: string; staffId: string }, role: { id: string; until: Date } | null): Promise<void>
  /** Notes that the person is at work: one write a minute, however many calls. */
  touch(session: Session): Promise<void>
  /** Tells every instance that rights, state or settings of these people changed; of all people without a list. */
  changed(tx: Tx, staffIds?: readonly string[]): Promise<void>
  actor(staffId: string): Promise<Actor | undefined>
  /** Told when a session ends or its person's rights change, on any instance. */
  onChange(listener: (change: SessionChange) => void): void
}

type SessionChange = {
  readonly sessionIds?: readonly string[]
  readonly staffIds?: readonly string[]
  /** The session that sees otherwise from now on. */
  readonly previewOf?: string
}

/** 32 random bytes as 43 characters of base64url. */
export const isToken = (value: string): boolean => /^[\w-]{43}$/.test(value)
export const newToken = (): string => randomBytes(32).toString('base64url')
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

const ROTATE_AFTER_MS = 86_400_000
/** Each session by its token and by its id. */
const MAX_REMEMBERED = 40_000
const TOUCH_EVERY_MS = 60_000
/** Level protection (djbh) asks for an end after idleness; the default profile follows the contract's seven days alone. */
export const IDLE_LIMIT_MS = { default: Number.POSITIVE_INFINITY, djbh: 1_800_000 } as const
/** It also asks everybody for a second factor; otherwise roles say of whom. */
export const ASKS_ALL_FOR_FACTOR = { default: false, djbh: true } as const

/** Whether a session opens nothing but the setting up. Of all it is asked when a session is read, so that open ones are meant too. */
export const isToEnrol = (profile: Env['SECURITY_PROFILE']): RawBuilder<boolean> =>
  ASKS_ALL_FOR_FACTOR[profile] ? sql<boolean>`(s.must_enrol or not p.has_factor)` : sql<boolean>`s.must_enrol`

export function openSessions(db: Database, signals: Signals, clock: Clock, env: Env): Sessions {
  const remembered = new Map<string, Session>()
  const reading = new Map<string, Promise<Session | undefined>>()
  // What was read before a change must not be remembered after it.
  let changes = 0
  const idleMs = IDLE_LIMIT_MS[env.SECURITY_PROFILE]
  const listeners: ((change: SessionChange) => void)[] = []
  const rights = openRights(db, () => signals.deaf())
  const forget = (concerns: (session: Session) => boolean) => {
    changes += 1
    rights.forget()
    for (const [key, session] of remembered) if (concerns(session)) remembered.delete(key)
  }
  signals.on('sessions-ended', ({ sessionIds }) => {
    forget(session => sessionIds.includes(session.id))
    for (const listener of listeners) listener({ sessionIds })
  })
  signals.on('access', change => {
    const { staffIds } = change
    forget(session => !staffIds || staffIds.includes(session.actor.id))
    for (const listener of listeners) listener(change)
  })

  const remember = (key: string, session: Session) => {
    remembered.set(key, session)
    const oldest = remembered.keys().next().value
    if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
  }
  const found = async (key: string, by: SessionKey): Promise<Session | undefined> => {
    const now = clock.now().getTime()
    const known = signals.deaf() ? undefined : remembered.get(key)
    if (known && known.expiresAt > now && now - known.activeAt <= idleMs && !isPreviewOver(known, now)) return known
    const before = changes
    // After a restart all tabs of a person come at once: they share one reading, unless something changed since it began.
    const asked = `${key}:${before}`
    const session = await shared(reading, asked, () => readSession(db, rights, by, new Date(now), env.SECURITY_PROFILE))
    if (session && !signals.deaf() && changes === before) {
      remember(key, session)
      // Whoever calls for a ticket comes back with it, and is known by then.
      if ('hash' in by) remember(keyOf(session.id), session)
    }
    return session
  }

  // Forgotten here at once, so that the caller's next call already knows; elsewhere when the signal comes.
  const changed = async (tx: Tx, staffIds?: readonly string[]) => {
    forget(session => !staffIds || staffIds.includes(session.actor.id))
    await signals.send(tx, 'access', staffIds ? { staffIds } : {})
  }

  return {
    async find(token) {
      if (!isToken(token)) return undefined
      const hash = hashToken(token)
      return found(hash.toString('base64'), { hash })
    },
    byId: sessionId => found(keyOf(sessionId), { sessionId }),
    changed,
    alive: sessionIds => readAlive(db, sessionIds, clock.now(), env.SECURITY_PROFILE),
    async open(tx, staffId, { address, device, mustEnrol = false }) {
      const token = newToken()
      const now = clock.now()
      const { id } = await tx
        .insertInto('session')
        .values({
          staff_id: staffId,
          token_hash: hashToken(token),
          token_at: now,
          created_at: now,
          active_at: now,
          expires_at: new Date(now.getTime() + TOKEN_LIFE_MS),
          address,
          device: device.slice(0, 200),
          must_enrol: mustEnrol,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { sessionId: id, token }
    },
    async rotate(session, token) {
      const now = clock.now()
      if (now.getTime() - session.tokenAt < ROTATE_AFTER_MS) return undefined
      const fresh = newToken()
      const old = hashToken(token)
      // Beside the reads: whoever only looks must not wait for those who write.
      return db.query.transaction().execute(async tx => {
        // Compare-and-set: of the calls that notice at once, one gives out the new token.
        const rotated = await tx
          .updateTable('session')
          .set({
            token_hash: hashToken(fresh),
            token_at: now,
            old_hash: old,
            old_until: new Date(now.getTime() + TOKEN_GRACE_MS),
          })
          .where('id', '=', session.id)
          .where('token_hash', '=', old)
          .where('ended_at', 'is', null)
          .executeTakeFirst()
        if (rotated.numUpdatedRows === 0n) return undefined
        await changed(tx, [session.actor.id])
        return fresh
      })
    },
    async end(tx, sessionIds, reason) {
      const ended = await tx
        .updateTable('session')
        .set({ ended_at: clock.now(), end_reason: reason })
        .where('id', 'in', [...sessionIds])
        .where('ended_at', 'is', null)
        .returning('id')
        .execute()
      if (ended.length === 0) return
      const ids = ended.map(({ id }) => id)
      await tx.deleteFrom('socket_ticket').where('session_id', 'in', ids).execute()
      forget(session => ids.includes(session.id))
      await signals.send(tx, 'sessions-ended', { sessionIds: ids })
    },
    async endAllOf(tx, staffId, reason, except) {
      const open = await tx
        .selectFrom('session')
        .select('id')
        .where('staff_id', '=', staffId)
        .where('ended_at', 'is', null)
        .execute()
      const ids = open.map(({ id }) => id).filter(id => id !== except)
      if (ids.length > 0) await this.end(tx, ids, reason)
    },
    async preview(tx, { id, staffId }, role) {
      await tx
        .updateTable('session')
        .set({ preview_role_id: role?.id ?? null, preview_until: role?.until ?? null })
        .where('id', '=', id)
        .execute()
      forget(session => session.id === id)
      await signals.send(tx, 'access', { staffIds: [staffId], previewOf: id })
    },
    async touch(session) {
      const now = clock.now()
      if (now.getTime() - session.activeAt < TOUCH_EVERY_MS) return
      session.activeAt = now.getTime()
      await db.query
        .updateTable('session')
        .set({ active_at: now })
        .where('id', '=', session.id)
        .where('ended_at', 'is', null)
        .execute()
    },
    actor: staffId => rights.actor(staffId),
    onChange: listener => void listeners.push(listener),
  }
}

/** Of a session that is asked for without its token; no token's key begins so. */
const keyOf = (sessionId: string): string => `#${sessionId}`

const isPreviewOver = ({ actor: { preview } }: Session, now: number): boolean =>
  preview !== undefined && Date.parse(preview.until) <= now

function shared<T>(running: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const known = running.get(key)
  if (known) return known
  const begun = work().finally(() => running.delete(key))
  running.set(key, begun)
  return begun
}

async function readAlive(
  db: Database,
  sessionIds: readonly string[],
  now: Date,
  profile: Env['SECURITY_PROFILE'],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string; active_at: string }>`
    select s.id::text as id, s.active_at from session s join staff p on p.id = s.staff_id
    where s.id = any(${sessionIds}::bigint[]) and s.ended_at is null and s.expires_at > ${now} and not ${isToEnrol(profile)}
      and p.status = 'ENABLED'`.execute(db.query)
  const awake = rows.filter(({ active_at }) => now.getTime() - Date.parse(active_at) <= IDLE_LIMIT_MS[profile])
  return new Set(awake.map(({ id }) => id))
}

type SessionKey = { readonly hash: Buffer } | { readonly sessionId: string }

async function readSession(
  db: Database,
  rights: Rights,
  key: SessionKey,
  now: Date,
  profile: Env['SECURITY_PROFILE'],
): Promise<Session | undefined> {
  const row = await db.query
    .selectFrom('session as s')
    .innerJoin('staff as p', 'p.id', 's.staff_id')
    .select([
      's.id',
      's.staff_id',
      's.expires_at',
      's.token_at',
      's.old_hash',
      's.old_until',
      's.active_at',
      's.token_hash',
      's.preview_role_id',
      's.preview_until',
      isToEnrol(profile).as('must_enrol'),
      'p.language',
      'p.must_change',
      'p.password_set_at',
    ])
    .where(eb =>
      'sessionId' in key
        ? eb('s.id', '=', key.sessionId)
        : eb.or([
            eb('s.token_hash', '=', key.hash),
            eb.and([eb('s.old_hash', '=', key.hash), eb('s.old_until', '>', now.toISOString())]),
          ]),
    )
    .where('s.ended_at', 'is', null)
    .where('s.expires_at', '>', now.toISOString())
    .where('p.status', '=', 'ENABLED')
    .executeTakeFirst()
  if (!row || now.getTime() - Date.parse(row.active_at) > IDLE_LIMIT_MS[profile]) return undefined
  const own = await rights.actor(row.staff_id)
  if (!own) return undefined
  const { preview_role_id: roleId, preview_until: until } = row
  const isPreviewed = roleId !== null && until !== null && Date.parse(until) > now.getTime()
  const actor = isPreviewed ? await rights.asRole(own, roleId, until) : own
  const current = 'sessionId' in key || row.token_hash.equals(key.hash)
  return {
    id: row.id,
    actor,
    own,
    language: row.language,
    mustChangePassword: row.must_change || isPasswordOld(profile, row.password_set_at, now),
    mustEnrol: row.must_enrol,
    activeAt: Date.parse(row.active_at),
    // An old token is remembered no longer than its grace.
    expiresAt: current ? Date.parse(row.expires_at) : Date.parse(row.old_until ?? row.expires_at),
    tokenAt: current ? Date.parse(row.token_at) : now.getTime(),
  }
}
