import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import type { Import } from './definition.ts'

export const texts = 'kit/server/import'

/** What may be brought in on a screen, where its calls are, and the right they ask for. */
export type Served = {
  readonly app: App
  readonly definition: Import
  readonly path: string
  readonly access: { readonly page: string; readonly action: string }
}
export type ImportCall = Call<{ page: string; action: string }>
