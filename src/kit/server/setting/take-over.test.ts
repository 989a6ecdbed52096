import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { settings as refunds } from '#areas/orders/refund-application/settings.model.ts'
import { buy, enrol, grantOf, offer, order, pay } from '../../../../tools/testing/commerce.ts'
import { emptyDatabase, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { refundBody } from '../../../../tools/testing/refunds.ts'
import { migrate, migrationNames } from '../database/migrate.ts'
import { BadSettings } from '../process/env.ts'
import { settingsOf } from './in-force.ts'
import { takeOverSettings } from './take-over.ts'

const MIGRATION = '20261116T0620-business-settings.sql'

describe('business numbers of the environment', () => {
  const marked = async (withStaff: boolean): Promise<unknown[]> => {
    const { url, drop } = await emptyDatabase()
    const before = (await migrationNames()).filter(name => name < MIGRATION)
    await migrate(url, before)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    if (withStaff)
      await client.query(
        `with o as (insert into org (name, code, path) values ('Office', 'office', '/1/') returning id)
         insert into staff (account, name, org_id, password_hash) select 'somebody', 'Somebody', id, 'none' from o`,
      )
    await migrate(url, [...before, MIGRATION])
    const { rows } = await client.query('select name from upgrade_due')
    await client.end()
    await drop()
    return rows
  }

  test('are taken over by an installation that is upgraded, and by no new one', async () => {
    expect(await marked(true)).toEqual([{ name: 'settings-from-environment' }])
    expect(await marked(false)).toEqual([])
  })

  describe('at the first start after the upgrade', () => {
    let instance: TestInstance
    let refundId: string
    let strayNo: string
    const rows = async (text: string) => (await instance.app.db.read.pool.query(text)).rows
    const logged = (word: string) => instance.logged.filter(line => line.includes(word))

    beforeAll(async () => {
      instance = await openTestInstance()
      const productId = await offer(instance, [grantOf('MEMBER_DAYS', 365)])
      const asker = await person(instance, {
        grants: { 'order-list': ['list'], 'order-refundApply': ['list', 'detail', 'create'] },
      })
      const { orderId } = await buy(instance, await enrol(instance), productId)
      refundId = (await asker.post<{ id: string }>('/orders/refund-application', refundBody(orderId, 100))).data.id
      const unpaid = await order(instance, await enrol(instance), productId)
      strayNo = 'TAKE-OVER-1'
      await pay(instance, { ...unpaid, amountFen: unpaid.amountFen + 1 }, strayNo)
      await rows(`insert into upgrade_due values ('settings-from-environment')`)
    })

    const ENVIRONMENT = {
      REFUND_L2_FEN: '50000',
      REFUND_WINDOW_DAYS: '7',
      STRAY_RETURN_DAYS: '3',
      GIFT_DAYS_PER_MONTH: '',
    }

    test('one that could not be is refused before anything is written', async () => {
      await expect(takeOverSettings(instance.app, { REFUND_L2_DAYS: 'soon' })).rejects.toThrow(BadSettings)
      expect(await rows('select * from upgrade_due')).toHaveLength(1)
    })

    test('they become settings in force, with a line in both logs', async () => {
      await takeOverSettings(instance.app, ENVIRONMENT)
      await expect.poll(() => settingsOf(instance.app, refunds)).toMatchObject({ l2Fen: 50_000, windowDays: 7 })
      // What says the same as the default is nothing anybody has set.
      expect(await rows('select key, value, before, applicant_id, status from setting_change order by key')).toEqual([
        { key: 'refund.l2Fen', value: 50_000, before: 100_000, applicant_id: null, status: 'IN_FORCE' },
        { key: 'stray.returnDays', value: 3, before: 7, applicant_id: null, status: 'IN_FORCE' },
      ])
      expect(logged('taken over from the environment').join()).toMatch(/REFUND_L2_FEN.*STRAY_RETURN_DAYS/s)
      expect(await rows(`select count(*)::int as n from operation_log where action = 'takeOver'`)).toEqual([{ n: 2 }])
    })

    test('what was under way keeps them as its terms', async () => {
      expect(await rows(`select terms from refund_application where id = ${refundId}`)).toMatchObject([
        { terms: { l2Fen: 50_000, l2Days: 30 } },
      ])
      const [stray] = await rows(
        `select returns_at - created_at = interval '3 days' as is_three from payment_exception where provider_no = '${strayNo}'`,
      )
      expect(stray).toEqual({ is_three: true })
    })

    test('from then on they change nothing, and the log says so', async () => {
      await takeOverSettings(instance.app, { ...ENVIRONMENT, REFUND_L2_FEN: '1' })
      expect(await settingsOf(instance.app, refunds)).toMatchObject({ l2Fen: 50_000 })
      expect(logged('no longer read from the environment').join()).toMatch(/REFUND_L2_FEN/)
    })
  })
})
