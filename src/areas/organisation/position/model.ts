import * as z from 'zod'
import {
  choice,
  code,
  dictionary,
  flag,
  id,
  inDetail,
  instant,
  longText,
  optional,
  text,
  version,
} from '#kit/model/field.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

const holder = z.strictObject({ id: id(), name: text(50), department: text(100), isPrimary: flag() })

/** What people are employed as. What they may see and do is their roles' and never follows from it. */
export const resource = defineResource({
  screen: area.screens.position,
  table: 'job_position',
  record: z.strictObject({
    id: id(),
    name: text(100),
    code: code(50).regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/),
    grade: optional(dictionary('POSITION_GRADE')),
    isVirtual: flag(),
    status: choice({ ENABLED: 'done', DISABLED: 'idle' }),
    note: longText(200),
    createdAt: instant(),
    holders: inDetail(z.array(holder)),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'code', 'grade'],
  list: {
    columns: ['name', 'code', 'grade', 'isVirtual', 'status', 'note', 'createdAt'],
    filters: ['grade', 'isVirtual', 'status'],
    sort: ['name', 'code'],
    usual: 'code:asc',
    tabs: 'status',
    search: ['name', 'code'],
  },
  create: ['name', 'code', 'grade', 'isVirtual', 'note'],
  edit: ['name', 'grade', 'isVirtual', 'note'],
  actions: ['list', 'detail', 'create', 'update', 'delete', 'export'],
  scope: 'shared',
})
export type Position = RecordOf<typeof resource>

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['ENABLED'],
  steps: {
    enable: { from: ['DISABLED'], to: 'ENABLED', back: 'undo' },
    disable: { from: ['ENABLED'], to: 'DISABLED', aside: true, danger: true, back: 'undo' },
  },
})

/** Positions, as the people who hold them name them. */
export const reference = defineReference({
  name: 'position',
  table: 'job_position',
  label: { name: 'name', note: { column: 'code', personal: null }, tone: 'status' },
  offered: { column: 'status', values: ['ENABLED'] },
  search: ['name', 'code'],
  scope: 'shared',
})
