import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { type DeclaredSetting, whyNotValue } from '#kit/model/setting.ts'
import type { Change } from '#kit/server/app.ts'
import { record } from '#kit/server/change/audit.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { writeChange } from '#kit/server/change/step.ts'
import type { Row } from '#kit/server/database/database.ts'
import { putInForce } from '#kit/server/setting/in-force.ts'
import { resource, type SettingChange } from './model.ts'
import { settingName } from './showing.server.ts'

/** What somebody enters holds at once, or waits for a second person where money hangs on it. */
export async function enter(
  op: Operation,
  { key, value, reason, basedOn }: SettingChange,
  write: (fields: Row) => Promise<string>,
): Promise<string> {
  const setting = op.app.catalogue.settings.get(key)
  if (!setting) throw onField('key', refuse('kit:field-no-choice'))
  const wrong = whyNotValue(setting, value)
  if (wrong) throw onField('value', wrong)
  const now = await heldInForce(op, setting)
  if (now.id !== basedOn) throw changedMeanwhile()
  if (now.value === value) throw onField('value', refuse('same-value'))
  const name = settingName(op.app, setting, op.app.env.DEFAULT_LOCALE)
  const known = { before: now.value, unit: setting.unit, name, applicantId: op.actor.id }
  const fields = { key, value, reason, basedOn, ...known }
  if (setting.money) return write({ ...fields, status: 'PROPOSED' })
  await replace(op, now.id)
  const id = await write({ ...fields, status: 'IN_FORCE', inForceAt: op.now })
  await putInForce(op, key, value)
  return id
}

/** The second person says yes, to what is still proposed on what is still in force. */
export async function confirm(op: Operation, row: SettingChange): Promise<Partial<SettingChange>> {
  const setting = op.app.catalogue.settings.get(row.key)
  const wrong = setting ? whyNotValue(setting, row.value) : refuse('no-setting')
  if (!setting || wrong) throw new Refused(wrong ?? refuse('no-setting'))
  const now = await heldInForce(op, setting)
  if (now.id !== row.basedOn) throw changedMeanwhile()
  await replace(op, now.id)
  await putInForce(op, row.key, row.value)
  return { decidedBy: op.actor.id, inForceAt: op.now.toISOString() }
}

/** What was proposed on a value no longer in force could never be confirmed: it does not stand again. */
export async function requireStillBased(op: Operation, { key, basedOn }: SettingChange): Promise<void> {
  const setting = op.app.catalogue.settings.get(key)
  if (!setting) throw new Refused(refuse('no-setting'))
  if ((await heldInForce(op, setting)).id !== basedOn) throw new Refused(refuse('overtaken'))
}

type Held = { readonly id: string | null; readonly value: number }

/** Locked, so that of two who change one setting at once the second sees what the first did. */
async function heldInForce({ tx }: Operation, { key, default: value }: DeclaredSetting): Promise<Held> {
  const found = await tx
    .selectFrom('setting_change')
    .select(['id', 'value'])
    .where('key', '=', key)
    .where('status', '=', 'IN_FORCE')
    .forUpdate()
    .executeTakeFirst()
  return found ? { id: found.id, value: found.value } : { id: null, value }
}

async function replace(op: Operation, id: string | null): Promise<void> {
  if (id === null) return
  await writeChange(op, resource, { id, status: 'IN_FORCE' }, { status: 'REPLACED' }, 'replace')
}

/** Who typed on what is no longer in force looks at it first. */
const changedMeanwhile = () => new Refused(refuse('changed-meanwhile'), 'conflict')

/** What the environment said until the upgrade, as the first change there is. */
export async function writeTakenOver(change: Change, { setting, from, value }: TakenOver): Promise<void> {
  const { app, tx, call, now } = change
  const { id } = await tx
    .insertInto('setting_change')
    .values({
      key: setting.key,
      name: settingName(app, setting, app.env.DEFAULT_LOCALE),
      before: setting.default,
      value,
      unit: setting.unit,
      status: 'IN_FORCE',
      reason: from,
      created_at: now,
      in_force_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const diff = { value: [setting.default, value], status: [null, 'IN_FORCE'] } as const
  await record(tx, call, { page: resource.screen.key, action: 'takeOver', recordId: id, diff })
}
type TakenOver = { readonly setting: DeclaredSetting; readonly from: string; readonly value: number }
