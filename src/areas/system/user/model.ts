import * as z from 'zod'
import {
  branch,
  choice,
  code,
  flag,
  id,
  inDetail,
  instant,
  lines,
  names,
  number,
  optional,
  personal,
  reference,
  text,
  version,
} from '#kit/model/field.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'
import { type Admins, disableable, endable, givable, notAbove, unfactorable, unlockable } from './deciding.model.ts'

export const MAX_ROLES = 20
const roleIds = () => lines(id(), MAX_ROLES)

const heldRole = z.strictObject({ id: id(), code: code(50), name: text(50), scope: code(50) })
const openSession = z.strictObject({
  id: id(),
  device: z.string(),
  address: z.string(),
  since: instant(),
  activeAt: instant(),
})
export type HeldRole = z.infer<typeof heldRole>
export type OpenSession = z.infer<typeof openSession>

/** Somebody's way into the console: roles, password, sessions. Who it is, and where in the company, stands with the staff. */
export const resource = defineResource({
  screen: area.screens.user,
  table: 'staff',
  record: z.strictObject({
    id: id(),
    account: code(50),
    name: text(50),
    staffNo: code(20),
    orgId: branch('department', 'org'),
    positionId: optional(reference('position')),
    phone: optional(personal('phone', 30)),
    roleNames: names(),
    roleIds: roleIds(),
    status: choice({ ENABLED: 'done', DISABLED: 'idle' }),
    /** The status, and that too many wrong passwords shut the door for a while. */
    accountState: choice({ ENABLED: 'done', LOCKED: 'attention', DISABLED: 'idle' }),
    lockedUntil: optional(instant()),
    mustChange: flag(),
    hasFactor: flag(),
    openSessions: number(0, 2_147_483_647),
    lastLoginAt: optional(instant()),
    createdAt: instant(),
    roles: inDetail(z.array(heldRole)),
    sessions: inDetail(z.array(openSession)),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'account', 'orgId', 'roleNames'],
  list: {
    columns: [
      'account',
      'name',
      'orgId',
      'roleNames',
      'accountState',
      'lastLoginAt',
      'openSessions',
      'staffNo',
      'createdAt',
    ],
    filters: [
      'accountState',
      'orgId',
      'roleNames',
      'lastLoginAt',
      'mustChange',
      'hasFactor',
      'openSessions',
      'createdAt',
    ],
    sort: ['lastLoginAt', 'openSessions', 'createdAt'],
    tabs: 'accountState',
    search: ['name', 'account', 'staffNo'],
  },
  actions: ['list', 'detail', 'export'],
  scope: 'shared',
  internal: ['status', 'roleIds', 'roles', 'sessions'],
})
export type User = RecordOf<typeof resource>

/** Both answer with a password that is shown once, which no step does. */
export const actions = ['create', 'resetPassword']

export const workflow = defineWorkflowWith<Admins>()(resource)({
  field: 'status',
  arrivals: ['ENABLED'],
  steps: {
    unlock: { guard: unlockable, back: 'idle' },
    enable: { from: ['DISABLED'], to: 'ENABLED', guard: notAbove, back: 'stays' },
    assignRoles: { alone: true, guard: givable, input: { roleIds: roleIds() }, back: 'stays' },
    resetFactor: { guard: unfactorable, reason: true, alone: true, aside: true, danger: true, back: 'stays' },
    forceLogout: { guard: endable, aside: true, danger: true, back: 'stays' },
    disable: {
      from: ['ENABLED'],
      to: 'DISABLED',
      guard: disableable,
      reason: true,
      aside: true,
      danger: true,
      back: 'stays',
    },
  },
})

/** What is asked for when somebody gets an account: with a position, the primary one from the first day. The rest of the person is told where the staff are. */
export const newUser = z.strictObject({
  account: code(50),
  name: text(50),
  orgId: branch('department', 'org'),
  positionId: reference('position'),
  phone: optional(personal('phone', 30)),
  roleIds: roleIds(),
})
export const resetBody = z.strictObject({ reason: text(200) })

/** The password is in this answer and nowhere else. */
export const oneTime = z.strictObject({ id: id(), account: code(50), name: text(50), password: z.string() })
export type OneTime = z.infer<typeof oneTime>

/** A role as it is offered, and why this giver may not give it. */
export const offeredRole = z.strictObject({ id: id(), name: text(50), why: z.string().nullable() })
export type OfferedRole = z.infer<typeof offeredRole>
