import * as z from 'zod'
import {
  anyReference,
  branch,
  choice,
  code,
  day,
  dictionary,
  flag,
  id,
  inDetail,
  instant,
  optional,
  personal,
  reference as referenceTo,
  text,
  version,
} from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** Colleagues, as other records name them. */
export const reference = defineReference({
  name: 'staff',
  table: 'staff',
  label: { name: 'name', note: { column: 'account', personal: null }, tone: 'status' },
  offered: { column: 'status', values: ['ENABLED'] },
  search: ['name', 'name_pinyin', 'name_initials', 'account'],
  scope: 'shared',
})

export const MAX_POSITIONS = 10
/** What is no longer offered stays with whoever holds it: the rules ask about what is new. */
const heldPosition = z.strictObject({ positionId: anyReference('position'), isPrimary: flag() })
export type HeldPosition = z.infer<typeof heldPosition>

const span = z.strictObject({
  id: z.string(),
  kind: z.enum(['DEPARTMENT', 'POSITION']),
  name: z.string(),
  isPrimary: z.boolean(),
  since: z.string(),
  until: z.string().nullable(),
})
export type Span = z.infer<typeof span>

/** Records of one kind that are somebody's: how many, and whether they go along into other hands. */
export const belonging = z.strictObject({ what: z.string(), count: z.int(), moves: z.boolean() })
export type Belonging = z.infer<typeof belonging>

const handover = z.strictObject({
  id: z.string(),
  at: instant(),
  to: z.string(),
  by: z.string().nullable(),
  isLeave: z.boolean(),
  moved: z.array(belonging),
})
export type Handover = z.infer<typeof handover>

const email = () => text(100).regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/)

/** Who works here, as what and for whom. The way into the console (roles, password, sessions) is kept with the accounts. */
export const resource = defineResource({
  screen: area.screens.staff,
  table: 'staff',
  record: z.strictObject({
    id: id(),
    name: text(50),
    staffNo: code(20),
    account: code(50),
    orgId: branch('department', 'org'),
    positionId: optional(referenceTo('position')),
    managerId: optional(referenceTo('staff')),
    gender: dictionary('GENDER'),
    phone: optional(personal('phone', 30)),
    email: optional(email()),
    birthday: optional(day()),
    employment: choice({ ACTIVE: 'done', LEFT: 'idle' }),
    leftOn: optional(day()),
    status: choice({ ENABLED: 'done', DISABLED: 'idle' }),
    createdAt: instant(),
    positions: inDetail(z.array(heldPosition).max(MAX_POSITIONS)),
    spans: inDetail(z.array(span)),
    handovers: inDetail(z.array(handover)),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'staffNo', 'orgId', 'positionId'],
  list: {
    columns: [
      'name',
      'staffNo',
      'orgId',
      'positionId',
      'managerId',
      'phone',
      'email',
      'status',
      'employment',
      'leftOn',
      'gender',
    ],
    below: { staffNo: 'name', email: 'phone' },
    filters: ['positionId', 'managerId', 'gender', 'employment', 'leftOn'],
    sort: ['staffNo', 'leftOn'],
    tabs: 'employment',
    side: 'department',
    search: ['name', 'staffNo'],
  },
  edit: ['name', 'gender', 'orgId', 'managerId', 'phone', 'email', 'birthday', 'positions'],
  actions: ['list', 'detail', 'update', 'export', 'reveal'],
  scope: 'owned',
  internal: ['spans', 'handovers'],
})
export type Staff = RecordOf<typeof resource>

/** Answers with a password that is shown once, which no record does. */
export const actions = ['create']

/** What is asked for when somebody begins; without an account one is made of the name. */
export const newStaff = z.strictObject({
  account: optional(code(50)),
  ...Object.fromEntries(resource.edit.map(field => [field, resource.record.shape[field]])),
} as Pick<
  typeof resource.record.shape,
  'name' | 'gender' | 'orgId' | 'managerId' | 'phone' | 'email' | 'birthday' | 'positions'
> & {
  account: z.ZodNullable<z.ZodString>
})
export type NewStaff = z.infer<typeof newStaff>

/** The password is in this answer and nowhere else. */
export const oneTime = z.strictObject({ id: id(), account: code(50), name: text(50), password: z.string() })
export type OneTime = z.infer<typeof oneTime>

/** Whoever may do everything: only one of them lets another go. */
export type Admins = { readonly admins: ReadonlySet<string> }

export const workflow = defineWorkflowWith<Admins>()(resource)({
  field: 'employment',
  arrivals: ['ACTIVE'],
  steps: {
    handOver: {
      alone: true,
      aside: true,
      input: { successorId: referenceTo('staff') },
      shows: ['employment'],
      back: 'stays',
    },
    rejoin: { from: ['LEFT'], to: 'ACTIVE', alone: true, back: 'stays' },
    leave: {
      from: ['ACTIVE'],
      to: 'LEFT',
      guard: mayGo,
      alone: true,
      aside: true,
      danger: true,
      input: { successorId: referenceTo('staff') },
      shows: ['employment'],
      back: 'stays',
    },
  },
})

function mayGo({ id: whose }: Staff, actor: { readonly id: string }, { admins }: Admins): Refusal | undefined {
  if (whose === actor.id) return refuse('leave-self')
  if (admins.has(whose) && !admins.has(actor.id)) return refuse('leave-admin')
}

/** Why somebody cannot hold these positions: whoever works here is one thing in the first place, and each only once. */
export function whyNotPositions(held: readonly HeldPosition[], employment: Staff['employment']): Refusal | undefined {
  if (employment === 'LEFT') return held.length > 0 ? refuse('positions-left') : undefined
  if (new Set(held.map(({ positionId }) => positionId)).size < held.length) return refuse('position-twice')
  return held.filter(({ isPrimary }) => isPrimary).length === 1 ? undefined : refuse('one-primary')
}
