import { PAGE_SIZES, type Paged } from '#kit/model/contract.ts'
import type { Resource } from '#kit/model/resource.ts'
import type { Matching } from '#kit/model/task.ts'
import { get, post } from '../call.ts'
import { asQuery, type ListState, type Row } from '../list/list-state.ts'

/** What is told of a step for everything that matches, and how it is confirmed or asked anew. */
export type ForAll = {
  readonly told: Matching
  confirm(body: object, idempotencyKey: string): Promise<void>
  again(): Promise<ForAll>
}

/** For how many of them the step will really be taken. */
export const openOf = ({ told: { count, closed } }: Pick<ForAll, 'told'>): number =>
  closed.reduce((open, { count: left }) => open - left, count)

export async function askMatching(resource: Resource, step: string, state: ListState): Promise<ForAll> {
  const { current: _, size: __, sort: ___, query, ...filters } = asQuery(state)
  const search = { ...filters, ...(query ? { query } : {}) }
  const path = `/${resource.screen.name}/steps/${step}`
  const told = await get<Matching>(path, { query: search })
  return {
    told,
    async confirm(body, idempotencyKey) {
      await post(`${path}/matching`, { search, upTo: told.upTo, seal: told.seal, ...body }, { idempotencyKey })
    },
    again: () => askMatching(resource, step, state),
  }
}

/** What matches, page by page, at most so many. What moved from one page to the next meanwhile is named once. */
export async function firstMatching(resource: Resource, state: ListState, most: number): Promise<readonly string[]> {
  const size = Math.max(...PAGE_SIZES)
  const ids = new Set<string>()
  for (let current = 1; ids.size < most; current += 1) {
    const { records } = await get<Paged<Row>>(`/${resource.screen.name}`, {
      query: asQuery({ ...state, current, size }),
    })
    for (const { id } of records) ids.add(id)
    if (records.length < size) break
  }
  return [...ids].slice(0, most)
}
