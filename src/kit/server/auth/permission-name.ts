import { LANGUAGES, type Language } from '#kit/model/language.ts'
import type { OwnEntry } from '#kit/model/menu.ts'
import type { App } from '../app.ts'

/** What people here call an entry of the menu; none where the code's word will do. */
export type OwnNames = {
  nameZhCn: string | null
  nameZhTw: string | null
  nameEnUs: string | null
  namePtBr: string | null
}
type Speaker = Pick<App, 'catalogue' | 'texts'>

/** By language. What is written in simplified characters alone is read in traditional ones too. */
export function ownNames({ texts }: Pick<App, 'texts'>, row: OwnNames): OwnEntry['names'] {
  const traditional = row.nameZhCn === null ? null : texts.traditional(row.nameZhCn)
  const names: Record<Language, string | null> = {
    'zh-CN': row.nameZhCn,
    'zh-TW': row.nameZhTw ?? traditional,
    'en-US': row.nameEnUs,
    'pt-BR': row.namePtBr,
  }
  return Object.fromEntries(
    LANGUAGES.flatMap(language => (names[language] === null ? [] : [[language, names[language]]])),
  )
}

type Menu = { readonly resourceCode: string; readonly displayName: string }

/** As people here call it, else as the code does. */
export const menuName = (app: Speaker, language: Language, menu: Menu & OwnNames): string =>
  ownNames(app, menu)[language] ?? codeName(app, language, menu)

/** What the code no longer knows is called as it was last. */
export function codeName(app: Speaker, language: Language, { resourceCode, displayName }: Menu): string {
  const place = placeOf(app, resourceCode)
  return place === undefined ? displayName : app.texts.text(language, place, 'title')
}

/** An action of a page: the word of its step, else the one all pages share. */
export function actionName(app: Speaker, language: Language, page: string | undefined, action: string): string {
  const known: [string, string][] = [
    [app.catalogue.screens.find(screen => screen.key === page)?.name ?? '', `step.${action}`],
    ['kit/server/auth', `action.${action}`],
  ]
  const found = known.find(([namespace, key]) => app.texts.has(namespace, key))
  return found ? app.texts.text(language, ...found) : action
}

const placeOf = ({ catalogue }: Speaker, key: string): string | undefined =>
  (catalogue.screens.find(screen => screen.key === key) ?? catalogue.areas.find(area => area.key === key))?.name
