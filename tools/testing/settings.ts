import { setTimeout as sleep } from 'node:timers/promises'
import { putInForce as put } from '../../src/kit/server/setting/in-force.ts'
import type { Instance } from '../../src/kit/server/start/start.ts'

/** As if it had been set long ago, by whomever; in force on this instance when it returns. */
export async function putInForce({ app }: Instance, key: string, value: number): Promise<void> {
  const setting = app.catalogue.settings.get(key)
  if (!setting) throw new Error(`no setting ${key}`)
  await app.db.write(async tx => {
    const before = await tx
      .updateTable('setting_change')
      .set({ status: 'REPLACED' })
      .where('key', '=', key)
      .where('status', '=', 'IN_FORCE')
      .returning(['id', 'value'])
      .executeTakeFirst()
    await tx
      .insertInto('setting_change')
      .values({
        key,
        name: key,
        before: before?.value ?? setting.default,
        value: value,
        unit: setting.unit,
        status: 'IN_FORCE',
        reason: 'test',
        based_on: before?.id ?? null,
        created_at: app.clock.now(),
        in_force_at: app.clock.now(),
      })
      .execute()
    await put({ app, tx, now: app.clock.now() }, key, value)
  })
  while ((await app.settings.stored(app.db.query)).get(key) !== value) await sleep(5)
}
