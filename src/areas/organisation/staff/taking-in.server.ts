import { sql } from 'kysely'
import { type Scope, scopeOf } from '#kit/model/actor.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { diffOf, record } from '#kit/server/change/audit.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { accountFor, hire } from './hire.server.ts'
import { type HeldPosition, type NewStaff, resource, type Staff, whyNotPositions } from './model.ts'
import { keepPositions } from './spans.server.ts'

const PAGE = resource.screen.key

/** Takes somebody in who was read from a form or a file: account, place and positions. */
export async function takeIn(op: Operation, person: NewStaff, hash: string): Promise<{ id: string; account: string }> {
  requireReach(op, person.orgId)
  await requireManagerHere(op, person.managerId)
  await requirePositions(op, person.positions, 'ACTIVE')
  const { account: given, positions, gender, ...rest } = person
  const account = given?.toLowerCase() ?? (await accountFor(op.tx, person.name))
  const newcomer = { ...rest, ...phoneOf(person), account, gender: gender as 'F' | 'M' | 'UK' }
  const { id } = await hire(op, newcomer, { hash })
  await keepPositions(op.tx, id, positions, op.now)
  await record(op.tx, op.call, {
    page: PAGE,
    action: 'create',
    recordId: id,
    diff: diffOf(resource, {}, { ...rest, gender, account }),
  })
  return { id, account }
}

/** As it is dialled; what was not entered anew stays. */
export function phoneOf({ phone }: Pick<Partial<Staff>, 'phone'>): { phone?: string | null } {
  if (phone === undefined || phone === null) return phone === undefined ? {} : { phone }
  const read = parsePhone(phone)
  if (read === undefined) throw onField('phone', refuse('kit:phone-invalid'))
  return { phone: read }
}

/** People are put only where whoever puts them there sees people. */
export function requireReach({ actor }: Pick<Operation, 'actor'>, orgId: string): void {
  const scope = scopeOf(actor, PAGE)
  if (!scope.all && !scope.orgs.includes(orgId)) throw onField('orgId', refuse('department-out-of-reach'))
}

/** Nobody gets people while leaving: those would be left with somebody who is gone. */
export async function requireManagerHere({ tx }: Pick<Operation, 'tx'>, managerId: string | null): Promise<void> {
  if (managerId === null) return
  const { rows } = await sql`
    select id from staff where id = ${managerId} and status = 'ENABLED' for share`.execute(tx)
  if (rows.length === 0) throw onField('managerId', refuse('kit:not-to-choose'))
}

type Place = { readonly id: string; readonly orgId: string }

/** Nobody draws records into their own sight by deciding whose they are, or where their owner works. */
export function requireNotDrawnIn({ app, actor }: Pick<Operation, 'app' | 'actor'>, from: Place, to: Place): void {
  const shows = ({ owners, orgs }: Extract<Scope, { all: false }>, { id, orgId }: Place) =>
    owners.includes(id) || orgs.includes(orgId)
  const isDrawn = app.catalogue.slices.some(({ resource: declared }) => {
    if (declared?.scope !== 'owned') return false
    const scope = scopeOf(actor, declared.screen.key)
    return !scope.all && shows(scope, to) && !shows(scope, from)
  })
  if (isDrawn) throw new Refused(refuse('kit:lifts-oneself'))
}

/** What somebody holds already may stay, though nobody else is given it any more. */
export async function requirePositions(
  { tx }: Pick<Operation, 'tx'>,
  wanted: readonly HeldPosition[],
  employment: Staff['employment'],
  held: readonly HeldPosition[] = [],
): Promise<void> {
  const refusal = whyNotPositions(wanted, employment)
  if (refusal) throw onField('positions', refusal)
  const known = new Set(held.map(({ positionId }) => positionId))
  const fresh = wanted.filter(({ positionId }) => !known.has(positionId)).map(({ positionId }) => positionId)
  const { rows } = await sql<{ name: string }>`
    select name from job_position where id = any(${fresh}::bigint[]) and status <> 'ENABLED'`.execute(tx)
  if (rows[0]) throw onField('positions', refuse('position-disabled', { position: rows[0].name }))
}
