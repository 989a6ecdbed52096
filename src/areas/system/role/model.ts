import * as z from 'zod'
import {
  anyReference,
  choice,
  code,
  flag,
  id,
  inDetail,
  instant,
  longText,
  number,
  optional,
  text,
  version,
} from '#kit/model/field.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'
import { type Holders, liftable, requirable } from './factor.model.ts'

/** A page, `order-list`, or one of its actions, `order-list:create`. */
const key = z
  .string()
  .max(200)
  .regex(/^[\w-]+(:[\w-]+)?$/)
/** More than all pages together have. */
const MOST_PERMISSIONS = 3_000
const MOST_DEPARTMENTS = 500
/** Named in the detail; of more it is said how many there are. */
export const MOST_HOLDERS = 500

const holder = z.strictObject({ id: id(), name: text(50), account: code(50), department: text(100), enabled: flag() })
export type Holder = z.infer<typeof holder>

export const resource = defineResource({
  screen: area.screens.role,
  table: 'role',
  record: z.strictObject({
    id: id(),
    name: text(50),
    code: code(50).regex(/^[A-Za-z][A-Za-z0-9_]*$/),
    scope: choice({
      SELF: 'idle',
      SELF_AND_SUBORDINATES: 'idle',
      DEPARTMENT: 'idle',
      DEPARTMENT_AND_BELOW: 'idle',
      CHOSEN: 'idle',
      ALL: 'idle',
    }),
    /** Whether signing in with this role takes a second step. */
    secondFactor: choice({ OPTIONAL: 'idle', REQUIRED: 'done' }),
    people: number(0, 1_000_000),
    note: longText(200),
    createdAt: instant(),
    /** The departments of a scope that is chosen. */
    orgIds: inDetail(z.array(anyReference('department')).max(MOST_DEPARTMENTS)),
    permissions: inDetail(z.array(key).max(MOST_PERMISSIONS)),
    /** What a change gave and took: told by the timeline alone. */
    given: optional(inDetail(z.array(key))),
    taken: optional(inDetail(z.array(key))),
    /** The role a new one begins with. */
    copyOf: optional(inDetail(id())),
    holders: inDetail(z.array(holder)),
    /** Entries it still names that the code no longer has. */
    outdated: inDetail(z.int().min(0)),
    /** To when somebody looks at the console as this role does: told by the timeline alone. */
    previewUntil: optional(inDetail(text(50))),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'code', 'people'],
  evidence: ['note'],
  list: {
    columns: ['name', 'code', 'scope', 'secondFactor', 'people', 'note', 'createdAt'],
    filters: ['scope', 'secondFactor'],
    sort: ['name', 'people', 'createdAt'],
    search: ['name', 'code'],
  },
  create: ['copyOf', 'name', 'code', 'note', 'scope', 'orgIds', 'permissions'],
  edit: ['name', 'note', 'scope', 'orgIds', 'permissions'],
  actions: ['list', 'detail', 'create', 'update', 'delete'],
  scope: 'shared',
})
/** Looking at the console as a role sees it. */
export const actions = ['preview']
export type Role = RecordOf<typeof resource>
export type ScopeKind = Role['scope']

export const workflow = defineWorkflowWith<Holders>()(resource)({
  field: 'secondFactor',
  arrivals: ['OPTIONAL'],
  steps: {
    requireFactor: { from: ['OPTIONAL'], to: 'REQUIRED', guard: requirable, aside: true, back: 'stays' },
    liftFactor: { from: ['REQUIRED'], to: 'OPTIONAL', guard: liftable, aside: true, danger: true, back: 'stays' },
  },
})

export const reference = defineReference({
  name: 'role',
  table: 'role',
  label: { name: 'name', note: { column: 'code', personal: null }, tone: null },
  search: ['name', 'code'],
  scope: 'shared',
})
