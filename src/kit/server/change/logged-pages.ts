import { knownMeta } from '#kit/model/field.ts'
import type { Resource, Shape } from '#kit/model/resource.ts'
import type { DeclaredSlice } from '../declared.ts'

/** How long a line of the operation log is kept: six calendar months, or three years (docs/decisions/054). */
export type Keeping = 'SHORT' | 'LONG'

/** What the log has to know of a page. */
export type LoggedPage = {
  readonly keeping: Keeping
  /** What is kept long there though the rest of the page is not. */
  readonly keptLong: ReadonlySet<string>
  /** Where its records have the number people know them by; a name is nobody's number. */
  readonly number: { readonly table: string; readonly field: string } | null
}

/** Who saw or took away what is personal is asked for years later, whatever the page. */
const KEPT_LONG: ReadonlySet<string> = new Set(['reveal', 'find-by-phone', 'export', 'download', 'print'])
const PLAIN: LoggedPage = { keeping: 'SHORT', keptLong: new Set(), number: null }

/** By key. Declarations do not change under a running process: the same for all its instances. */
const pages = new Map<string, LoggedPage>()

/** Told as an instance opens, before anything is logged. */
export function declarePages(slices: readonly Pick<DeclaredSlice, 'resource'>[]): void {
  for (const { resource } of slices) if (resource) pages.set(resource.screen.key, pageOf(resource))
}

export const loggedPage = (key: string): LoggedPage => pages.get(key) ?? PLAIN

export const keepingOf = ({ keeping, keptLong }: LoggedPage, action: string): Keeping =>
  KEPT_LONG.has(action) || keptLong.has(action) ? 'LONG' : keeping

export type Logged = Pick<Resource, 'record' | 'table' | 'title' | 'isKeptLong'> & {
  readonly screen: { readonly key: string }
}

/** What holds money is kept as long as what is said of money may be asked. */
export function pageOf({ record, table, title, isKeptLong }: Logged): LoggedPage {
  const shape: Shape = record.shape
  const hasMoney = Object.values(shape).some(schema => knownMeta(schema)?.kind === 'money')
  const isNumber = shape[title] !== undefined && knownMeta(shape[title])?.kind === 'code'
  return {
    keeping: hasMoney || isKeptLong === true ? 'LONG' : 'SHORT',
    keptLong: new Set(isKeptLong === true ? [] : isKeptLong),
    number: isNumber ? { table, field: title } : null,
  }
}
