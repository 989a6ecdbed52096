import * as z from 'zod'
import { scopeOf } from '#kit/model/actor.ts'
import { CODES } from '#kit/model/contract.ts'
import { columnOf } from '#kit/model/field.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import { MAX_TYPED } from '#kit/model/typed.ts'
import { type Gate, requireAttempt, untake } from '../access/gate.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { record } from '../change/audit.ts'
import type { Served } from '../change/rules.ts'
import {
  elsewhere,
  findByPhone,
  findHolder,
  type Named,
  PHONE_SEARCHES,
  type PhoneHolder,
} from '../choice/phone-search.ts'
import type { Row } from '../database/database.ts'
import { requireReference } from '../declared.ts'
import { idParams, type Route, route } from '../http/route.ts'
import type { ListEngine } from '../list/list.ts'
import { ownColumns } from '../list/search.ts'

const REVEALS: Gate = { kind: 'reveal', limit: 60, windowMs: 86_400_000 }

const shown = z.strictObject({ value: z.string().nullable() })
const phoneBody = z.strictObject({ phone: z.string().max(MAX_TYPED) })
const byPhone = z.strictObject({ field: z.string(), ids: z.array(z.string()) })

/** The two doors to personal data: seeing one field of one record, and finding a record by a whole phone number. */
export function personalRoutes(app: App, resource: Resource, list: ListEngine): Route[] {
  const personal = Object.keys(resource.record.shape).filter(
    field => personalSource(app, resource, field) !== undefined,
  )
  if (personal.length === 0) return []
  return [
    ...(resource.actions.includes('reveal') ? [revealRoute(app, resource, list, personal)] : []),
    ...phoneRoute(app, resource),
  ]
}

/** Where the value of a personal field stands: in the record's own table, or in the record a reference points at. */
function personalSource(
  app: App,
  resource: Resource,
  field: string,
): { table: string; column: string; via: string | null } | undefined {
  const meta = metaOf(resource, field)
  if (meta.kind === 'personal') return { table: resource.table, column: columnOf(field), via: null }
  if (meta.kind !== 'reference') return undefined
  const { table, label } = requireReference(app.catalogue, meta.to)
  return label.note?.personal ? { table, column: label.note.column, via: columnOf(field) } : undefined
}

function revealRoute(app: App, resource: Resource, list: ListEngine, fields: readonly string[]): Route {
  return route({
    method: 'POST',
    path: `/${resource.screen.name}/:id/reveal`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'reveal' },
    params: idParams,
    body: () =>
      z.strictObject({ field: z.enum(fields as [string, ...string[]]), reason: z.string().trim().min(2).max(200) }),
    answer: shown,
    summary: 'Shows one personal field of one record in full; logged before it answers.',
    async handle(call, { params, body }) {
      // What a whole group may see is nobody's yet: nor is what is personal in it.
      if (!(await list.one(params.id, call.actor, true))) throw new Refused(refuse('kit:record-missing'), 'not-found')
      await requireAttempt(app.db.query, REVEALS, call.actor.id, call.now)
      await record(app.db.query, call, {
        page: resource.screen.key,
        action: 'reveal',
        recordId: params.id,
        diff: { [body.field]: [null, null] },
        reason: body.reason,
      })
      const source = personalSource(app, resource, body.field)
      if (!source) throw new Error(`${body.field} is not personal`)
      const text = source.via
        ? `select s.${source.column} as value from ${resource.table} t join ${source.table} s on s.id = t.${source.via} where t.id = $1`
        : `select t.${source.column} as value from ${resource.table} t where t.id = $1`
      const [row] = await app.db.read.rows(text, [params.id])
      return { value: (row?.value as string | null) ?? null }
    },
  })
}

const isPhone = (resource: Resource, field: string): boolean => {
  const meta = metaOf(resource, field)
  return meta.kind === 'personal' && meta.personal === 'phone'
}

export type PhoneFilter = Named<PhoneHolder> & { readonly field: string }

/** The filter a whole number leads to: whom the record belongs to, or the record itself where the number is its own. */
export function phoneFilter(app: App, resource: Resource): PhoneFilter | undefined {
  for (const field of resource.list.filters) {
    const meta = metaOf(resource, field)
    if (meta.kind !== 'reference') continue
    const reference = requireReference(app.catalogue, meta.to)
    const { note } = reference.label
    if (note?.personal === 'phone') return { ...reference, column: note.column, field }
  }
  const own = Object.keys(resource.record.shape).find(name => isPhone(resource, name))
  return own !== undefined && resource.list.filters.includes('id')
    ? { ...resource, search: ownColumns(app.catalogue, resource), column: columnOf(own), field: 'id' }
    : undefined
}

/** A number, or its end with a name, is exchanged for the ids to filter by, so that none ever stands in an address. */
function phoneRoute(app: App, resource: Resource): Route[] {
  const filter = phoneFilter(app, resource)
  if (!filter) return []
  const { key } = resource.screen
  return [
    route({
      method: 'POST',
      path: `/${resource.screen.name}/find-by-phone`,
      reads: true,
      texts: resource.screen.name,
      access: { page: key, action: 'list' },
      body: phoneBody,
      answer: byPhone,
      summary:
        'Finds whom a whole phone number, or a name and the last four digits, belongs to, or whom to ask; logged and limited.',
      handle: async (call, { body }) => ({
        field: filter.field,
        ids: await findByPhone(app, call, { page: key, scope: scopeOf(call.actor, key) }, filter, body.phone),
      }),
    }),
  ]
}

/**
 * Whoever enters a number that must be new learns whether somebody has it. So that counts as a search when somebody does:
 * limited and logged with the searches, and answered like them.
 */
export async function asPhoneSearch<T>(
  { app, resource, rules }: Served,
  call: Call<{ page: string; action: string }>,
  body: Row,
  work: () => Promise<T>,
): Promise<T> {
  const unique = Object.values(rules.constraints ?? {}).find(
    ({ field }) => field !== undefined && isPhone(resource, field),
  )
  const phone = parsePhone(String(body[unique?.field ?? ''] ?? ''))
  if (!unique?.field || !phone) return work()
  const mine = [app.db.query, PHONE_SEARCHES, call.actor.id] as const
  await requireAttempt(...mine, call.now)
  try {
    const answer = await work()
    await untake(...mine)
    return answer
  } catch (error) {
    // Any refusal may tell something of the number, if only by which of two it is: what was refused is not given back.
    if (!(error instanceof Refused)) await untake(...mine)
    if (!(error instanceof Refused) || error.refusal.code !== unique.code) throw error
    const { of, field } = unique.holder ?? { of: resource, field: unique.field }
    const holder = { ...of, column: columnOf(field) }
    const page = of.screen.key
    const found = await findHolder(app, holder, scopeOf(call.actor, page), phone)
    await record(app.db.query, call, {
      page,
      action: 'find-by-phone',
      ...(found ? { recordId: found.id } : {}),
      code: CODES.validation,
    })
    if (!found || found.isSeen) throw error
    const refusal = await elsewhere(app, holder, found.id)
    throw onField(unique.field, refusal)
  }
}
