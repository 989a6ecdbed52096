import type { Actor } from './actor.ts'
import { choice, flag, id, instant, optional, type Right, reference, type Tone, text, version } from './field.ts'
import { byAnother, onlyBy } from './four-eyes.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { RecordOf, Resource, Shape } from './resource.ts'
import type { Settings, ValuesOf } from './setting.ts'

/** Whoever asked and whoever has agreed so far, on any record that others have to agree to. */
type Agreed = { readonly applicantId: string; readonly needsL2: boolean; readonly l1By: string | null }

const notTheApplicant = byAnother('applicantId', 'kit:own-request')
const onlyTheApplicant = onlyBy('applicantId', 'kit:not-your-request')

/** Two levels are two people, and neither of them asked. */
function secondPerson(row: Agreed, actor: Pick<Actor, 'id'>): Refusal | undefined {
  return row.l1By === actor.id ? refuse('kit:same-approver') : notTheApplicant(row, actor)
}

/**
 * The steps by which others agree (decision 045): one level, or two where the record says so. The last of them does what was
 * asked for, so that neither has a way back.
 */
export const agreement = <const Waits extends string, const Half extends string, const Done extends string>(states: {
  /** Asked for; agreed to by one of two; agreed to. */
  readonly waits: Waits
  readonly half: Half
  readonly done: Done
}) =>
  ({
    approve: {
      from: [states.waits],
      to: {
        among: [states.half, states.done],
        by: ({ needsL2 }: Pick<Agreed, 'needsL2'>) => (needsL2 ? states.half : states.done),
      },
      guard: notTheApplicant,
      tells: 'needsL2',
      awaits: true,
      back: 'stays',
    },
    approveL2: { from: [states.half], to: states.done, guard: secondPerson, awaits: true, back: 'stays' },
  }) as const

/** States in which a request waits for somebody. */
export const OPEN_REQUEST = ['SUBMITTED', 'L1_APPROVED'] as const

/** What every request has, whatever is asked for. Its table has the same columns. */
export const requestFields = <const Kinds extends Readonly<Record<string, Tone>>>(kinds: Kinds) => ({
  id: id(),
  kind: choice(kinds),
  status: choice({
    SUBMITTED: 'attention',
    L1_APPROVED: 'attention',
    APPROVED: 'done',
    REJECTED: 'failed',
    WITHDRAWN: 'idle',
    EXPIRED: 'idle',
  }),
  reason: text(200),
  needsL2: flag(),
  applicantId: reference('staff'),
  l1By: optional(reference('staff')),
  l2By: optional(reference('staff')),
  createdAt: instant(),
  stateSince: optional(instant()),
  /** Nobody decides on it any more from then on. */
  expiresAt: optional(instant()),
  endedAt: optional(instant()),
  version: version(),
})

const { approve, approveL2 } = agreement({ waits: 'SUBMITTED', half: 'L1_APPROVED', done: 'APPROVED' })

/** The way of every request: `defineWorkflow(resource)(REQUEST_WORKFLOW)`. */
export const REQUEST_WORKFLOW = {
  field: 'status',
  arrivals: ['SUBMITTED', 'EXPIRED'],
  path: ({ needsL2 }: Pick<Agreed, 'needsL2'>) => [
    'status.SUBMITTED',
    ...(needsL2 ? ['status.L1_APPROVED'] : []),
    'status.APPROVED',
  ],
  steps: {
    // One at a time: requests of several kinds have no sum that could be read before saying yes.
    approve: { ...approve, alone: true, shows: ['reason'] },
    approveL2: { ...approveL2, alone: true, shows: ['reason'] },
    reject: {
      from: OPEN_REQUEST,
      to: 'REJECTED',
      guard: notTheApplicant,
      reason: true,
      danger: true,
      back: 'undo',
    },
    withdraw: { from: OPEN_REQUEST, to: 'WITHDRAWN', guard: onlyTheApplicant, aside: true, back: 'undo' },
  },
} as const

/** One kind of request, with the form, the right and the levels of its own. */
export type RequestKind<Row, Terms> = {
  /** The fields of its form that others do not have, each of them needed, by what has been entered so far. */
  readonly asks: (entered: Partial<Row>) => readonly Extract<keyof Row, string>[]
  /** Whoever may do the like within bounds may ask for more. */
  readonly by: Right
  /** How many have to agree, by the bounds of the day it was asked for: kept with the request. */
  readonly levels: (request: Row, terms: Terms) => 1 | 2
  /** After so many days nobody agrees to it any more. */
  readonly days: number
}

export type Requests<Row = Record<string, unknown>, Kind extends string = string, S extends Settings = Settings> = {
  /** What the form of each kind asks for. */
  readonly always: readonly Extract<keyof Row, string>[]
  /** Where the bounds stand. */
  readonly settings: S
  readonly kinds: Readonly<Record<Kind, RequestKind<Row, ValuesOf<S>>>>
}

type KindOf<S extends Shape> = Extract<RecordOf<Resource<S>>['kind' & keyof RecordOf<Resource<S>>], string>

/** The kinds of a screen's requests: each choice of `kind` has its declaration, or it does not compile. */
export const defineRequests = <S extends Shape, Bounds extends Settings>(
  _resource: Resource<S>,
  requests: Requests<RecordOf<Resource<S>>, KindOf<S>, Bounds>,
): Requests<RecordOf<Resource<S>>, KindOf<S>, Bounds> => requests

type AnyRequests = Requests<never>

/** Whether the form of this kind asks for a field, by what has been entered so far. */
export function isAsked(requests: AnyRequests, field: string, entered: Readonly<Record<string, unknown>>): boolean {
  if (field === 'kind' || (requests.always as readonly string[]).includes(field)) return true
  const kind = requests.kinds[String(entered.kind)]
  return (kind?.asks(entered as never) as readonly string[] | undefined)?.includes(field) ?? false
}

/** Where somebody who was refused asks for it instead: the form of the request, with what was entered. */
export function askInstead(
  { screen, create }: Pick<Resource, 'screen' | 'create'>,
  entered: Readonly<Record<string, string | number | null | undefined>>,
): string {
  const given = create.flatMap(field =>
    entered[field] == null ? [] : [`with.${field}=${encodeURIComponent(entered[field])}`],
  )
  return `${screen.route}?${['create=1', ...given].join('&')}`
}
