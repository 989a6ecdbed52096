import type { Actor } from '#kit/model/actor.ts'
import { inOneLine, type Language } from '#kit/model/language.ts'
import { metaOf } from '#kit/model/resource.ts'
import type { App } from '#kit/server/app.ts'
import { actionName, codeName, menuName, type OwnNames } from '#kit/server/auth/permission-name.ts'
import { holds } from './giving.model.ts'
import { resource } from './model.ts'
import { actionOf, type PagePermissions, type PermissionTree, pageOf } from './permission-tree.model.ts'

type Row = OwnNames & {
  id: string
  parentId: string | null
  displayType: 'MENU' | 'PERMISSION'
  resourceCode: string
  displayName: string
}

/** All a role may hold, under the names and in the order people here gave the menu, with what the asker holds himself. */
export async function readTree(app: App, actor: Actor, language: Language): Promise<PermissionTree> {
  const rows: Row[] = await app.db.query
    .selectFrom('permission')
    .select(['id', 'parent_id as parentId', 'display_type as displayType', 'resource_code as resourceCode'])
    .select(['display_name as displayName', 'name_zh_cn as nameZhCn', 'name_zh_tw as nameZhTw'])
    .select(['name_en_us as nameEnUs', 'name_pt_br as namePtBr'])
    .where('vanished', '=', false)
    .orderBy('sort')
    .orderBy('id')
    .execute()
  const areas = new Set(app.catalogue.areas.map(({ key }) => key))
  const below = (type: Row['displayType'], parent: string | null) =>
    rows.filter(({ displayType, parentId }) => displayType === type && parentId === parent)
  const page = (row: Row): PagePermissions => {
    const { resourceCode: key } = row
    const actions = below('PERMISSION', row.id).map(({ resourceCode }) => ({
      key: `${key}:${resourceCode}`,
      name: actionName(app, language, key, resourceCode),
      isHeld: holds(actor, `${key}:${resourceCode}`),
    }))
    const name = menuName(app, language, row)
    return { key, name, isHeld: holds(actor, key), actions, fields: maskedFields(app, key, language) }
  }
  return below('MENU', null)
    .filter(({ resourceCode }) => areas.has(resourceCode))
    .map(row => ({
      key: row.resourceCode,
      name: menuName(app, language, row),
      pages: below('MENU', row.id).map(page),
    }))
}

/** What a page shows masked, and what opens it. */
function maskedFields({ catalogue, texts }: App, key: string, language: Language): PagePermissions['fields'] {
  const shown = catalogue.slices.flatMap(({ resource: known, screen }) => (screen?.key === key && known ? [known] : []))
  return shown.flatMap(known =>
    Object.keys(known.record.shape)
      .filter(field => metaOf(known, field).kind === 'personal')
      .map(field => ({
        name: texts.text(language, known.screen.name, `field.${field}`),
        right: known.actions.includes('reveal') ? `${key}:reveal` : null,
      })),
  )
}

/** Permissions as one reads them out: each page with what may be done there. */
export function inWords(app: App, language: Language, keys: readonly string[]): string {
  const say = (name: 'of-page' | 'page-only', params: Readonly<Record<string, string>>) =>
    app.texts.text(language, resource.screen.name, name, params)
  const words = [...new Set(keys.map(pageOf))].map(page => {
    const title = codeName(app, language, { resourceCode: page, displayName: page })
    const actions = keys.filter(key => pageOf(key) === page).flatMap(key => actionOf(key) ?? [])
    if (actions.length === 0) return say('page-only', { page: title })
    const names = actions.map(action => actionName(app, language, page, action))
    return say('of-page', { page: title, actions: inOneLine(language, names) })
  })
  return inOneLine(language, words)
}
