import type { Actor } from './actor.ts'
import { choice, flag, id, instant, optional, type Right, reference, type Tone, text, version } from './field.ts'
import { byAnother, onlyBy } from './four-eyes.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { RecordOf, Resource, Shape } from './resource.ts'
import type { Settings, ValuesOf } from './setting.ts'
import { ASKED_ID, WRONG_STATE } from './workflow.ts'

/** Whoever asked, on any record that others have to agree to. */
export type Asked = { readonly applicantId: string }
/** And whoever has agreed so far, where two have to. */
type Agreed = Asked & { readonly needsL2: boolean; readonly l1By: string | null }
type Person = Pick<Actor, 'id'>
/** What facts say of a record below which something is asked for: what waits there, one at a time. */
export type AskedBelow = { readonly asked: Asked & { readonly id: string } } | undefined

const notTheApplicant = byAnother('applicantId', 'kit:own-request')
const onlyTheApplicant = onlyBy('applicantId', 'kit:not-your-request')

/** Two levels are two people, and neither of them asked. */
function secondPerson(row: Agreed, actor: Person): Refusal | undefined {
  return row.l1By === actor.id ? refuse('kit:same-approver') : notTheApplicant(row, actor)
}

/** What a yes, a no and a change of mind are, wherever they are said: a yes does what was asked for, so that it stays. */
const YES = { awaits: true, back: 'stays' } as const
const NO = { reason: true, danger: true, back: 'undo' } as const
const THOUGHT_BETTER = { aside: true, back: 'undo' } as const

const endings = <const Open extends string>(open: readonly Open[]) =>
  ({
    reject: { ...NO, from: open, to: 'REJECTED', guard: notTheApplicant },
    withdraw: { ...THOUGHT_BETTER, from: open, to: 'WITHDRAWN', guard: onlyTheApplicant },
  }) as const

/** How a record ends that nobody agreed to: states beside those of its own. */
export const NOT_AGREED = { REJECTED: 'failed', WITHDRAWN: 'idle', EXPIRED: 'idle' } as const

/** The steps of a record that is itself what is asked for: one other person agrees to it (decision 045). */
export const agreement = <const Waits extends string, const Done extends string>(states: {
  readonly waits: Waits
  readonly done: Done
}) =>
  ({
    approve: { ...YES, from: [states.waits], to: states.done, guard: notTheApplicant },
    ...endings([states.waits]),
  }) as const

/**
 * As `agreement`, for what is asked for below a record, which the facts know. Where nothing waits there is nothing to decide, and no
 * step to be seen: `none` is the text that says so. Another may wait by the time somebody decides: each step names what was shown.
 */
export function agreementBelow(none: string) {
  const onThat =
    (guard: (request: Asked, actor: Person) => Refusal | undefined) =>
    (_row: unknown, actor: Person, facts: AskedBelow) =>
      facts ? guard(facts.asked, actor) : refuse(WRONG_STATE, { state: none })
  const one = { alone: true, input: { [ASKED_ID]: id() } } as const
  return {
    approve: { ...YES, ...one, guard: onThat(notTheApplicant) },
    reject: { ...NO, ...one, guard: onThat(notTheApplicant) },
    withdraw: { ...THOUGHT_BETTER, ...one, guard: onThat(onlyTheApplicant) },
  } as const
}

/** What each record has that others have to agree to. Its table has the same columns, and refuses one person as two. */
export const agreedFields = () => ({
  applicantId: reference('staff'),
  l1By: optional(reference('staff')),
  /** Nobody decides on it any more from then on. */
  expiresAt: optional(instant()),
  endedAt: optional(instant()),
})

/** States in which a request waits for somebody. */
const OPEN_REQUEST = ['SUBMITTED', 'L1_APPROVED'] as const

/** What every request has, whatever is asked for. Its table has the same columns. */
export function requestFields<const Kinds extends Readonly<Record<string, Tone>>>(kinds: Kinds) {
  const { applicantId, l1By, ...times } = agreedFields()
  return {
    id: id(),
    kind: choice(kinds),
    status: choice({ SUBMITTED: 'attention', L1_APPROVED: 'attention', APPROVED: 'done', ...NOT_AGREED }),
    reason: text(200),
    needsL2: flag(),
    applicantId,
    l1By,
    l2By: optional(reference('staff')),
    createdAt: instant(),
    stateSince: optional(instant()),
    ...times,
    version: version(),
  }
}

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
    approve: {
      ...YES,
      from: ['SUBMITTED'],
      to: {
        among: ['L1_APPROVED', 'APPROVED'],
        by: ({ needsL2 }: Pick<Agreed, 'needsL2'>) => (needsL2 ? 'L1_APPROVED' : 'APPROVED'),
      },
      guard: notTheApplicant,
      tells: 'needsL2',
      alone: true,
      shows: ['reason'],
    },
    approveL2: { ...YES, from: ['L1_APPROVED'], to: 'APPROVED', guard: secondPerson, alone: true, shows: ['reason'] },
    ...endings(OPEN_REQUEST),
  },
} as const

/** One kind of request, with the form, the right and the levels of its own. */
type RequestKind<Row, Terms> = {
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
