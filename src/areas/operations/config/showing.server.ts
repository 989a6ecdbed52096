import { type Actor, can } from '#kit/model/actor.ts'
import type { Language } from '#kit/model/language.ts'
import type { DeclaredSetting } from '#kit/model/setting.ts'
import type { App } from '#kit/server/app.ts'
import { inUnit, resource, type SettingChange, type ShownGroup, type ShownSetting, workflow } from './model.ts'

/** A setting as its slice calls it. */
export const settingName = (
  { texts }: Pick<App, 'texts'>,
  { slice, name }: DeclaredSetting,
  language: Language,
): string => texts.text(language, slice, `setting.${name}`)

/** A change in the words of whoever reads it: what was set, and both figures with what they count. */
export function changeInWords(app: App, { key, unit, before, value }: SettingChange, language: Language) {
  const setting = app.catalogue.settings.get(key)
  const figure = (of: number) =>
    inUnit((text, params) => app.texts.text(language, resource.screen.name, text, params), unit, of)
  return { name: setting && settingName(app, setting, language), before: figure(before), value: figure(value) }
}

/** All settings by group, with what is in force and what is proposed: read whole, and never from memory. */
export async function shownGroups(app: App, actor: Actor, language: Language): Promise<ShownGroup[]> {
  const rows = await app.db.query
    .selectFrom('setting_change as c')
    .leftJoin('staff as a', 'a.id', 'c.applicant_id')
    .leftJoin('staff as d', 'd.id', 'c.decided_by')
    .select(['c.id', 'c.key', 'c.value', 'c.status', 'c.reason', 'c.created_at', 'c.in_force_at', 'c.applicant_id'])
    .select(['a.name as by', 'd.name as decided_by'])
    .where('c.status', 'in', ['IN_FORCE', 'PROPOSED'])
    .execute()
  const mayConfirm = (applicantId: string | null) =>
    can(actor, resource.screen.key, 'confirm') &&
    workflow.steps.confirm.guard?.({ applicantId } as SettingChange, actor, undefined) === undefined
  const shown = (setting: DeclaredSetting): ShownSetting => {
    const { key, slice, name, unit, min, max, money } = setting
    const [now, proposed] = (['IN_FORCE', 'PROPOSED'] as const).map(status =>
      rows.find(row => row.key === key && row.status === status),
    )
    return {
      ...{ key, unit, min, max, money, default: setting.default },
      name: settingName(app, setting, language),
      help: app.texts.text(language, slice, `setting.${name}.help`),
      value: now ? now.value : setting.default,
      change: now
        ? { id: now.id, by: now.by, decidedBy: now.decided_by, at: String(now.in_force_at), reason: now.reason }
        : null,
      proposal: proposed
        ? {
            ...{ id: proposed.id, value: proposed.value, by: proposed.by, at: proposed.created_at },
            mayConfirm: mayConfirm(proposed.applicant_id),
          }
        : null,
    }
  }
  const groups = Map.groupBy(app.catalogue.settings.values(), ({ group }) => group)
  return [...groups].map(([group, settings]) => ({
    group,
    title: app.texts.text(language, settings[0]?.slice ?? '', 'settings'),
    settings: settings.map(shown),
  }))
}
