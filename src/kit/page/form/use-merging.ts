import type { FormInstance } from 'antd'
import { useRef, useState } from 'react'
import type { StaleDraft } from '#kit/model/edition.ts'
import type { Resource } from '#kit/model/resource.ts'
import { get } from '../call.ts'
import type { Entry } from '../detail/use-happened.ts'
import { isMissing } from '../field/show.tsx'
import { isMasked, unmasked } from './fields.tsx'
import { merge } from './merge.ts'
import type { Values } from './values.ts'

export type Latest = Values & {
  readonly id: string
  readonly version: number
  /** Where a draft of it was begun from an older edition. */
  readonly stale?: StaleDraft | null
}
export type Choice = 'mine' | 'theirs'
type Change = { readonly who: string; readonly at: string; readonly isRecent: boolean }

export type Conflict = {
  readonly mine: Values
  readonly theirs: Latest
  readonly asked: readonly string[]
  readonly taken: readonly string[]
  /** Who changed a field last, and when. */
  readonly changes: Readonly<Record<string, Change>>
  readonly chosen: Readonly<Record<string, Choice>>
}

/** Brings what is typed together with what others saved meanwhile; asks only where both changed the same field. */
export function useMerging(resource: Resource, form: FormInstance<Values>, fields: readonly string[], read: Latest) {
  // What the form was filled from, and the version that must still stand when it is saved.
  const base = useRef(read)
  const [conflict, setConflict] = useState<Conflict>()
  const settle = async (latest: Latest): Promise<Values | undefined> => {
    const { theirs, disputed } = withDraft(fields, latest)
    const typed: Values = form.getFieldsValue(true)
    const isUntouched = (field: string) => isMasked(resource, field) && isMissing(typed[field])
    const mine = Object.fromEntries(fields.map(field => [field, (isUntouched(field) ? base.current : typed)[field]]))
    const { taken, asked } = merge(fields, base.current, mine, theirs)
    const changes = await lastChanges(resource, theirs, theirs.version - base.current.version)
    // Two numbers may look the same behind their stars: then the history tells that somebody entered another.
    const hidden = fields.filter(
      field => isMasked(resource, field) && !isUntouched(field) && changes[field]?.isRecent && !asked.includes(field),
    )
    base.current = theirs
    const fresh = unmasked(resource, Object.fromEntries(taken.map(field => [field, theirs[field]])))
    form.setFieldsValue(fresh)
    // Where nothing was typed here, the draft stands against what was published over it.
    const between = disputed.filter(field => !asked.includes(field))
    const only = (values: Values) => Object.fromEntries(between.map(field => [field, values[field]]))
    const open = [...asked, ...between, ...hidden]
    setConflict(
      open.length > 0
        ? {
            mine: { ...mine, ...only(theirs) },
            theirs: { ...theirs, ...only(latest) },
            asked: open,
            taken: taken.filter(field => !between.includes(field)),
            changes,
            chosen: {},
          }
        : undefined,
    )
    return open.length === 0 ? fresh : undefined
  }

  return {
    base,
    conflict,
    /** How many fields somebody has still to decide on. */
    left: conflict?.asked.filter(field => !(field in conflict.chosen)).length ?? 0,
    /** Back to the record as it was read. */
    begin() {
      base.current = read
      setConflict(undefined)
    },
    /** Begins over an older version: what was typed was typed over that one. */
    resume(older: Values, version: number) {
      base.current = { ...read, ...older, version }
      if (version !== read.version) void settle(read)
    },
    /** Goes on from the latest version. Gives the values taken over when nothing is left to decide. */
    settle,
    decide(field: string, choice: Choice) {
      if (!conflict) return
      setConflict({ ...conflict, chosen: { ...conflict.chosen, [field]: choice } })
      const value = choice === 'mine' ? conflict.mine[field] : conflict.theirs[field]
      // What is masked is left as it is by entering nothing.
      form.setFieldValue(field, choice === 'theirs' && isMasked(resource, field) ? undefined : value)
    },
    /** Whoever enters something else into a field has decided on it. */
    entered(changed: Values) {
      const decided = conflict?.asked.filter(field => field in changed) ?? []
      if (conflict && decided.length > 0)
        setConflict({
          ...conflict,
          mine: { ...conflict.mine, ...changed },
          chosen: { ...conflict.chosen, ...Object.fromEntries(decided.map(field => [field, 'mine' as const])) },
        })
    },
  }
}

/** What saving would replace: the record, or a draft of it put over the edition that was published since; and where those two differ. */
function withDraft(fields: readonly string[], latest: Latest): { theirs: Latest; disputed: readonly string[] } {
  const { stale } = latest
  if (!stale) return { theirs: latest, disputed: [] }
  const { values, asked } = merge(fields, stale.base, stale.mine, latest)
  return { theirs: { ...latest, ...values }, disputed: asked }
}

async function lastChanges(resource: Resource, { id }: Latest, versions: number): Promise<Conflict['changes']> {
  // Names are a help, not a condition.
  const entries = await get<Entry[]>(`/${resource.screen.name}/${id}/timeline`).catch(() => [])
  const written = entries.filter(({ action, diff }) => action !== 'reveal' && Object.keys(diff).length > 0)
  const each = written.flatMap(({ actor: who, at, diff }, index) =>
    Object.keys(diff).map(field => [field, { who, at, isRecent: index < versions }] as const),
  )
  // Newest first: of several lines on one field, the first one counts.
  return Object.fromEntries(each.reverse())
}
