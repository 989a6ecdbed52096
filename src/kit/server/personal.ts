import * as z from 'zod'
import { columnOf } from '#kit/model/field.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import type { App } from './app.ts'
import { record } from './audit.ts'
import { type Gate, requireAttempt } from './gate.ts'
import { type ListEngine, requireReference } from './list.ts'
import { idParams, type Route, route } from './route.ts'

const REVEALS: Gate = { kind: 'reveal', limit: 60, windowMs: 86_400_000 }
const PHONE_SEARCHES: Gate = { kind: 'phone-search', limit: 30, windowMs: 600_000 }

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
    body: z.strictObject({ field: z.enum(fields as [string, ...string[]]), reason: z.string().trim().min(2).max(200) }),
    answer: z.strictObject({ value: z.string().nullable() }),
    summary: 'Shows one personal field of one record in full; logged before it answers.',
    async handle(call, { params, body }) {
      if (!(await list.one(params.id, call.actor))) throw new Refused(refuse('kit:record-missing'), 'not-found')
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

/** The filter a whole number leads to: whom the record belongs to, or the record itself where the number is its own. */
function phoneFilter(app: App, resource: Resource): { field: string; table: string; column: string } | undefined {
  const to = resource.list.filters.find(name => {
    const meta = metaOf(resource, name)
    return meta.kind === 'reference' && requireReference(app.catalogue, meta.to).label.note?.personal === 'phone'
  })
  const own = Object.keys(resource.record.shape).find(name => {
    const meta = metaOf(resource, name)
    return meta.kind === 'personal' && meta.personal === 'phone'
  })
  const source = personalSource(app, resource, to ?? own ?? 'id')
  const field = to ?? (resource.list.filters.includes('id') ? 'id' : undefined)
  return source && field !== undefined ? { ...source, field } : undefined
}

/** A whole number is exchanged for the id to filter by, so that no number ever stands in an address. */
function phoneRoute(app: App, resource: Resource): Route[] {
  const filter = phoneFilter(app, resource)
  if (!filter) return []
  const { field, table, column } = filter
  return [
    route({
      method: 'POST',
      path: `/${resource.screen.name}/find-by-phone`,
      texts: resource.screen.name,
      access: { page: resource.screen.key, action: 'list' },
      body: z.strictObject({ phone: z.string().max(40) }),
      answer: z.strictObject({ field: z.string(), id: z.string().nullable() }),
      summary: 'Finds whom a whole phone number belongs to; logged and limited.',
      async handle(call, { body }) {
        const phone = parsePhone(body.phone)
        const invalid = refuse('kit:phone-invalid')
        if (!phone) throw new Refused(invalid, 'validation', { fields: { phone: invalid } })
        await requireAttempt(app.db.query, PHONE_SEARCHES, call.actor.id, call.now)
        const [row] = await app.db.read.rows(`select id::text as id from ${table} where ${column} = $1`, [phone])
        const id = (row?.id as string | undefined) ?? null
        await record(app.db.query, call, {
          page: resource.screen.key,
          action: 'find-by-phone',
          ...(id ? { recordId: id } : {}),
        })
        return { field, id }
      },
    }),
  ]
}
