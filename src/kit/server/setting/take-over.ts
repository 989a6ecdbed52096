import { type DeclaredSetting, whyNotValue } from '#kit/model/setting.ts'
import type { App, Change } from '../app.ts'
import { announce, defineAnnouncement } from '../change/announce.ts'
import { ownChange } from '../change/operation.ts'
import { BadSettings, givenIn } from '../process/env.ts'
import { putInForce } from './in-force.ts'

const UPGRADE = 'settings-from-environment'

type Former = { readonly setting: DeclaredSetting; readonly from: string; readonly value: number }

/** Under this number the console worked until it was upgraded: records of that time are told. */
export const settingTakenOver = defineAnnouncement<Former>('setting-taken-over')

/**
 * Business numbers once stood in the environment. The first start after the upgrade writes down what it finds there; from
 * then on, and on a new installation, such a variable changes nothing, and the log says so.
 */
export async function takeOverSettings(app: App, source: Record<string, string | undefined>): Promise<void> {
  const former = [...app.catalogue.settings.values()].flatMap(setting => readFormer(setting, source))
  const isDue = await app.db.write(async tx => {
    const due = await tx.deleteFrom('upgrade_due').where('name', '=', UPGRADE).returning('name').executeTakeFirst()
    if (!due) return false
    requireFitting(former)
    const change = ownChange(app, tx, app.clock.now(), UPGRADE)
    for (const one of former) await takeOver(change, one)
    return true
  })
  for (const { setting, from, value } of former) {
    const about = { setting: setting.key, from, value }
    if (isDue) app.log.info(about, 'taken over from the environment: from now on it is changed on the settings page')
    else app.log.warn(about, 'no longer read from the environment, but changed on the settings page; unset it')
  }
}

function readFormer(setting: DeclaredSetting, source: Record<string, string | undefined>): Former[] {
  const from = setting.formerly
  const text = from === undefined ? undefined : givenIn(source, from)
  return from === undefined || text === undefined ? [] : [{ setting, from, value: Number(text) }]
}

function requireFitting(former: readonly Former[]): void {
  const wrong = former.filter(({ setting, value }) => whyNotValue(setting, value))
  const lines = wrong.map(({ from, setting: { min, max } }) => `${from}: must be a whole number from ${min} to ${max}`)
  if (lines.length > 0) throw new BadSettings(lines.join('\n'))
}

async function takeOver(change: Change, { setting, from, value }: Former): Promise<void> {
  if (value === setting.default) return
  await putInForce(change, setting.key, value)
  await announce(change, settingTakenOver, { setting, from, value })
}
