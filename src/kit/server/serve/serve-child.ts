import * as z from 'zod'
import { type Scope, scopeOf } from '#kit/model/actor.ts'
import type { Child } from '#kit/model/child.ts'
import type { RecordOf, Resource, Shape } from '#kit/model/resource.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { exportAtOnce } from '../file/export.ts'
import { idParams, type Route, type Routes, route } from '../http/route.ts'
import { readBelow } from '../list/child.ts'
import { openList } from '../list/list.ts'
import type { ReadRow } from '../list/select.ts'
import { childPhoneRoute } from './child-phone.ts'
import { rowSchema } from './serve-read.ts'

type ChildRules<Fields> = {
  /** What others know of these rows, or what time has made of them: for each row in turn, the fields that say so. */
  told?(app: App, rows: readonly Fields[], asked: { parentId: string; scope: Scope; now: Date }): Promise<Told<Fields>>
}
type Told<Fields> = readonly Partial<Fields>[]

const counts = z.record(z.string(), z.int()).nullable()

/** List, counts and export of the records below one, for those who may read that one. */
export const serveChild =
  <S extends Shape>(declared: Child<S>, { told }: ChildRules<RecordOf<Resource<S>>> = {}): Routes =>
  app => {
    const child = declared as unknown as Child
    const { of: parent, resource } = child
    const { key, name: texts } = resource.screen
    const path = `/${parent.screen.name}/:id/${child.name}`
    const list = openList(resource, app.catalogue, app.db, app.counts)
    const may = (action: string) => ({ page: key, action })
    const read = ({ search, actor, now }: SignedCall, id: string) => readBelow(app, child, { id, search, actor, now })
    const finish = async (rows: ReadRow[], { actor, now }: SignedCall, parentId: string): Promise<ReadRow[]> => {
      const known = await told?.(app, rows as never, { parentId, scope: scopeOf(actor, key), now })
      return rows.map((row, at) => Object.assign(row, known?.[at], { steps: {}, waiting: null }))
    }
    const routes: Route[] = [
      route({
        method: 'GET',
        path,
        texts,
        access: may('detail'),
        params: idParams,
        query: 'list',
        answer: () =>
          z.strictObject({ records: z.array(rowSchema(resource, true)), total: z.int(), totalAt: z.string() }),
        summary: 'One page of what belongs to the record and the filter matches.',
        async handle(call, { params: { id } }) {
          const { rows, total, totalAt } = await list.page(await read(call, id), call.actor)
          return { records: await finish(rows, call, id), total, totalAt: totalAt.toISOString() }
        },
      }),
      route({
        method: 'GET',
        path: `${path}/counts`,
        texts,
        access: may('detail'),
        params: idParams,
        query: 'list',
        answer: counts,
        summary: 'What belongs to the record by state, for the tabs; nothing where it cannot be counted in time.',
        handle: async (call, { params: { id } }) => list.tabs(await read(call, id), call.actor),
      }),
    ]
    routes.push(...childPhoneRoute(app, child, list))
    if (!resource.actions.includes('export')) return routes
    const download = route({
      method: 'GET',
      path: `${path}/download`,
      texts,
      access: may('export'),
      params: idParams,
      query: 'list',
      answer: 'file',
      summary: 'What belongs to the record and the filter matches, as xlsx.',
      async handle(call, { params: { id } }) {
        const query = await read(call, id)
        return exportAtOnce(app, { resource, query, list, ...call, finish: rows => finish(rows, call, id) }, call)
      },
    })
    return [...routes, download]
  }

type SignedCall = Call<{ page: string; action: string }>
