import type { Resource } from '#kit/model/resource.ts'
import { post } from './call.ts'

/** Asks the server to take back what this person did last to a record. */
export const takeBack = (resource: Resource, step: string, id: string): Promise<unknown> =>
  post(`/${resource.screen.name}/${id}/${step}/undo`, {}, { idempotencyKey: crypto.randomUUID() })
