import type { Resource } from '#kit/model/resource.ts'
import type { Matching } from '#kit/model/task.ts'
import { get, post } from '../call.ts'
import { asQuery, type ListState } from '../list/list-state.ts'

/** What is told of a step for everything that matches, and how it is confirmed or asked anew. */
export type ForAll = {
  readonly told: Matching
  confirm(body: object, idempotencyKey: string): Promise<void>
  again(): Promise<ForAll>
}

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
