import * as z from 'zod'
import { choice, code, flag, id, inDetail, number, optional, text, version } from '#kit/model/field.ts'
import { LANGUAGES } from '#kit/model/language.ts'
import { MENU_ICONS, type MenuIcon } from '#kit/model/menu.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { area } from '../area.ts'

/** A group of the menu, a page, or what the code no longer has. */
const KINDS = ['GROUP', 'PAGE', 'VANISHED'] as const

/** The page itself, or one of its actions, and who holds it. */
const right = z.strictObject({
  id: id(),
  name: text(100),
  code: code(100),
  /** The code no longer has it: whoever holds it may do nothing by it. */
  vanished: flag(),
  roles: z.array(z.strictObject({ id: id(), name: text(100) })),
  people: number(0, 1_000_000),
})
export type HeldRight = z.infer<typeof right>

const NAME = 40
const ICONS = Object.fromEntries(MENU_ICONS.map(name => [name, 'idle'])) as Record<MenuIcon, 'idle'>

export const resource = defineResource({
  screen: area.screens['menu-permission'],
  table: 'permission',
  record: z.strictObject({
    id: id(),
    displayName: text(100),
    resourceCode: code(100),
    displayType: choice({ MENU: 'idle', PERMISSION: 'idle' }),
    parentId: optional(id()),
    /** What it is called here, by language; the code's word where there is none. */
    nameZhCn: optional(text(NAME)),
    nameZhTw: optional(text(NAME)),
    nameEnUs: optional(text(NAME)),
    namePtBr: optional(text(NAME)),
    icon: optional(choice(ICONS)),
    hidden: flag(),
    keepAlive: flag(),
    sort: number(0, 9_999),
    kind: inDetail(z.enum(KINDS)),
    /** What the code calls it, by language. */
    codeNames: inDetail(z.record(z.enum(LANGUAGES), z.string())),
    /** Where its page stands. */
    route: optional(inDetail(code(100))),
    rights: inDetail(z.array(right)),
    version: version(),
  }),
  title: 'displayName',
  brief: ['resourceCode'],
  list: {
    columns: ['displayName', 'resourceCode'],
    filters: [],
    sort: [],
    search: ['displayName', 'resourceCode'],
    only: { displayType: ['MENU'] },
  },
  edit: ['nameZhCn', 'nameZhTw', 'nameEnUs', 'namePtBr', 'icon', 'hidden', 'keepAlive'],
  actions: ['list', 'detail', 'update', 'move'],
  scope: 'shared',
  tree: { parent: 'parentId', sort: 'sort', isFixed: true },
})
export type MenuPermission = RecordOf<typeof resource>

/** A picture stands beside groups alone, and only a page can be kept. */
export const isAsked = (field: string, kind: MenuPermission['kind'] | undefined): boolean =>
  field === 'icon' ? kind === 'GROUP' : field === 'keepAlive' ? kind === 'PAGE' : true
