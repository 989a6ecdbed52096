/** What somebody typed into a form or a question and has not sent (decision 031: what is kept where, and what never). */
export type Draft = {
  readonly at: number
  /** The version of the record it was typed over, and what stood there. */
  readonly version: number
  readonly base: Readonly<Record<string, unknown>>
  /** Only what was changed. */
  readonly values: Readonly<Record<string, unknown>>
  /** Fields that were filled in and are kept nowhere. */
  readonly left: readonly string[]
}

/** Whose it is, in which tab, and what it was typed for. */
type DraftPlace = { readonly person: string; readonly route: string; readonly what: string }

const PREFIX = 'inkstone-draft'
const KEPT_MS = 86_400_000

const keyOf = ({ person, route, what }: DraftPlace): string => [PREFIX, person, route, what].join('|')

/** Like the tabs: as long as the browser's own tab lives, and in no other one. */
export function writeDraft(place: DraftPlace, draft: Draft): void {
  try {
    sessionStorage.setItem(keyOf(place), JSON.stringify(draft))
  } catch {
    // Full: the form goes on without a safety net.
  }
}

export const dropDraft = (place: DraftPlace): void => sessionStorage.removeItem(keyOf(place))

export function readDraft(place: DraftPlace): Draft | undefined {
  const draft = read(keyOf(place))
  if (!draft) dropDraft(place)
  return draft
}

/** For what this person has typed something in a tab that was not sent. */
export const draftsOn = ({ person, route }: Pick<DraftPlace, 'person' | 'route'>): string[] =>
  Object.keys(sessionStorage).flatMap(key => {
    const [prefix, whose, where, what = ''] = key.split('|')
    return prefix === PREFIX && whose === person && where === route && read(key) ? [what] : []
  })

/** What was typed in tabs that are closed or begun anew. */
export const dropDraftsOf = (routes: readonly string[]): void =>
  dropWhere(key => routes.includes(key.split('|')[2] as string))

export const dropAllDrafts = (): void => dropWhere(() => true)

/** Leaves what this person typed within a day. */
export const pruneDrafts = (person: string): void =>
  dropWhere(key => key.split('|')[1] !== person || read(key) === undefined)

function dropWhere(isOver: (key: string) => boolean): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(`${PREFIX}|`) && isOver(key)) sessionStorage.removeItem(key)
}

function read(key: string): Draft | undefined {
  try {
    const draft = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Draft | null
    return draft && Date.now() - draft.at < KEPT_MS ? draft : undefined
  } catch {
    return undefined
  }
}
