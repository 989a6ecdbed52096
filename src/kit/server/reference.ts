import * as z from 'zod'
import { mayOpen, type Scope, scopeOf } from '#kit/model/actor.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Reference } from '#kit/model/resource.ts'
import type { App } from './app.ts'
import { binder, labelColumns, readLabel, scopeSql } from './list.ts'
import { beginsWith } from './list-query.ts'
import { type Call, type Route, route } from './route.ts'

const MAX_OPTIONS = 20
/** Chosen ones are all named. */
const MAX_CHOSEN = 100

/** What pickers ask: records of another slice by the beginning of a name, or the labels of ids already chosen. */
export const referenceRoutes = (app: App): Route[] => [
  route({
    method: 'GET',
    path: '/common/reference/:name',
    access: 'session',
    params: z.strictObject({ name: z.string().max(40) }),
    query: z.strictObject({
      query: z.string().trim().max(50).optional(),
      ids: z
        .string()
        .regex(/^\d{1,18}(,\d{1,18}){0,99}$/)
        .optional(),
      /** Only those a form may take. */
      offered: z.literal('true').optional(),
    }),
    answer: z.array(
      z.strictObject({ id: z.string(), name: z.string(), note: z.string().nullable(), tone: z.string().nullable() }),
    ),
    summary: 'Records to choose from, by the beginning of their name.',
    async handle(call, { params, query }) {
      const reference = app.catalogue.references.get(params.name)
      if (!reference) throw new Refused(refuse('kit:record-missing'), 'not-found')
      const { bind, values } = binder()
      const parts = [scopeSql(reference, scopeFor(reference, call), bind)]
      if (query.ids) parts.push(`t.id = any(${bind(query.ids.split(','))}::bigint[])`)
      if (query.offered && reference.offered)
        parts.push(`t.${reference.offered.column} = any(${bind(reference.offered.values)}::text[])`)
      const typed = query.query
      if (typed) parts.push(`(${reference.search.map(column => beginsWith(`t.${column}`, typed, bind)).join(' or ')})`)
      const where = parts.filter(part => part !== '').join(' and ')
      const columns = labelColumns(reference, 't').map(([part, sql]) => `${sql} as "id:${part}"`)
      const rows = await app.db.read.rows(
        `select t.id, ${columns.join(', ')} from ${reference.table} t ${where && `where ${where}`} order by t.id desc limit ${query.ids ? MAX_CHOSEN : MAX_OPTIONS}`,
        values,
      )
      return rows.map(row => readLabel(reference, row, 'id'))
    },
  }),
]

/** Whoever may open one of the pages it is used on may choose from it, within the widest scope of those pages. */
function scopeFor(reference: Reference, call: Call<'session'>): Scope {
  const open = reference.pages.filter(page => mayOpen(call.actor, page))
  if (open.length === 0) throw new Refused(refuse('kit:permission-missing'), 'permission')
  const scopes = open.map(page => scopeOf(call.actor, page))
  return (
    scopes.find(scope => scope.all) ?? {
      all: false,
      owners: scopes.flatMap(scope => (scope.all ? [] : scope.owners)),
      orgs: scopes.flatMap(scope => (scope.all ? [] : scope.orgs)),
    }
  )
}
