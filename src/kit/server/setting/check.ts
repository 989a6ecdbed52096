import { type DeclaredSetting, whyNotValue } from '#kit/model/setting.ts'
import type { Reader } from '../database/database.ts'

/** What is in force and no longer fits what is declared: bounds may have changed since. */
export async function misfits(db: Reader, declared: ReadonlyMap<string, DeclaredSetting>): Promise<string[]> {
  const { rows } = await db.pool.query<{ key: string; value: number }>(
    'select key, value from business_setting order by key',
  )
  return rows.flatMap(({ key, value }) => {
    const setting = declared.get(key)
    if (!setting) return [`${key} is ${value}, and no slice declares it`]
    const { min, max } = setting
    return whyNotValue(setting, value) ? [`${key} is ${value}, and must be from ${min} to ${max}`] : []
  })
}
