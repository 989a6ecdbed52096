import * as z from 'zod'
import {
  branch,
  choice,
  code,
  dictionary,
  id,
  inDetail,
  instant,
  longText,
  number,
  optional,
  reference as referenceTo,
  text,
  version,
} from '#kit/model/field.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { area } from '../area.ts'

const colleague = z.strictObject({ id: id(), name: text(50), account: code(50) })

export const resource = defineResource({
  screen: area.screens.department,
  table: 'org',
  record: z.strictObject({
    id: id(),
    name: text(100),
    shortName: optional(text(50)),
    code: code(50),
    type: dictionary('ORG_TYPE'),
    parentId: optional(branch('department', 'org')),
    managerId: optional(referenceTo('staff')),
    /** Closed, it stays for what is known of its time, and takes nobody and nothing any more. */
    status: choice({ OPEN: 'done', CLOSED: 'idle' }),
    note: longText(200),
    sort: number(0, 9_999),
    createdAt: instant(),
    /** Whoever works here, without those of the departments below. */
    people: inDetail(z.array(colleague)),
    version: version(),
  }),
  title: 'name',
  list: {
    columns: ['name', 'code', 'type', 'parentId', 'managerId', 'status', 'createdAt'],
    filters: ['parentId', 'managerId'],
    sort: ['name', 'code'],
    search: ['name', 'code'],
  },
  create: ['parentId', 'name', 'shortName', 'code', 'type', 'managerId', 'note'],
  edit: ['name', 'shortName', 'type', 'managerId', 'status', 'note'],
  actions: ['list', 'detail', 'create', 'update', 'delete', 'export', 'move'],
  scope: 'shared',
  tree: { parent: 'parentId', sort: 'sort', hasOneRoot: true },
})
export type Department = RecordOf<typeof resource>

export const reference = defineReference({
  name: 'department',
  table: 'org',
  label: { name: 'name', note: null, tone: null },
  offered: { column: 'status', values: ['OPEN'] },
  search: ['name', 'code'],
  scope: 'shared',
})
