import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'

const PATH = '/common/view'
const PAGE = 'order-list'
const READ = { [PAGE]: ['list', 'detail'] }
const EDIT = { [PAGE]: ['list', 'detail', 'update'] }

type View = { id: string; name: string; query: string; isShared: boolean; isMine: boolean; by: string }

let instance: TestInstance
beforeAll(async () => {
  instance = await openTestInstance()
})

const viewsOf = async (by: Caller) => (await by.get<{ views: View[]; mayShare: boolean }>(`${PATH}?page=${PAGE}`)).data
const save = (by: Caller, given: Partial<View> & { page?: string } = {}) =>
  by.post<{ id: string }>(PATH, { page: PAGE, name: 'Paid', query: 'payState=PAID', isShared: false, ...given })
const stored = async (by: Caller) =>
  (await viewsOf(by)).views.filter(({ isMine }) => isMine).map(({ name, query, isShared }) => [name, query, isShared])

describe('a view', () => {
  test('is kept, renamed, pointed elsewhere and deleted by its owner', async () => {
    const me = await person(instance, { name: '王', grants: READ })
    const { data } = await save(me, { query: 'payState=PAID&payState=CLOSED&sort=amountFen:desc&query=年度' })
    expect((await viewsOf(me)).views).toEqual([
      {
        id: data.id,
        name: 'Paid',
        query: 'payState=PAID&payState=CLOSED&sort=amountFen:desc&query=年度',
        isShared: false,
        isMine: true,
        by: '王',
      },
    ])
    const changed = { name: 'Open', query: 'payState=UNPAID', isShared: false }
    expect(await me.put(`${PATH}/${data.id}`, changed)).toMatchObject({ code: 0 })
    expect(await stored(me)).toEqual([['Open', 'payState=UNPAID', false]])
    expect(await me.remove(`${PATH}/${data.id}`)).toMatchObject({ code: 0 })
    expect(await stored(me)).toEqual([])
  })

  test('keeps how rows are looked at, where the list knows that way', async () => {
    const page = 'product-list'
    const me = await person(instance, { grants: { [page]: ['list'] } })
    expect(await save(me, { page, query: 'status=ON_SALE&body=gallery' })).toMatchObject({ code: 0 })
    expect(await save(me, { page, name: 'Other', query: 'status=ON_SALE&body=desk' })).toMatchObject({ code: 4000 })
  })

  test('has a name of its own on its page', async () => {
    const me = await person(instance, { grants: READ })
    await save(me)
    expect(await save(me, { query: 'payState=CLOSED' })).toMatchObject({
      code: 4005,
      data: { fields: { name: expect.any(String) } },
    })
    expect(await stored(me)).toEqual([['Paid', 'payState=PAID', false]])
  })

  test.each([
    ['nothing', ''],
    ['an unknown filter', 'password=1'],
    ['an unknown sort', 'sort=phone:asc'],
    ['a page', 'payState=PAID&current=3'],
    ['an open record', 'open=5'],
    ['a body the list has not', 'payState=PAID&body=gallery'],
    ['what no object should be asked for', 'payState=PAID&__proto__=1'],
    ['work nobody has to do', 'payState=PAID&todo=anything'],
    ['work named as every object has it', 'payState=PAID&todo=constructor'],
    ['a phone number that is searched for', 'query=13800138000'],
    ['a phone number written in groups', 'query=138-0013-8000'],
    ['a phone number with its country', `query=${encodeURIComponent('+86 13800138000')}`],
    ['a phone number in another filter', 'orderNo=13800138000'],
    ['a phone number in other words', `query=${encodeURIComponent('王 13800138000')}`],
  ])('of %s is refused and not kept', async (_what, query) => {
    const me = await person(instance, { grants: READ })
    expect((await save(me, { query })).code).toBeGreaterThanOrEqual(4000)
    expect(await stored(me)).toEqual([])
  })

  test('is not named by a phone number', async () => {
    const me = await person(instance, { grants: READ })
    expect(await save(me, { name: 'Wang 13800138000' })).toMatchObject({ code: 4006 })
    expect(await stored(me)).toEqual([])
  })

  test('is one of fifty for each page at most, also when many are saved at once', async () => {
    const me = await person(instance, { grants: READ })
    for (let at = 0; at < 48; at += 1) await save(me, { name: `v${at}` })
    const answers = await Promise.all(Array.from({ length: 5 }, (_, at) => save(me, { name: `w${at}` })))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(2)
    expect(await stored(me)).toHaveLength(50)
  })
})

describe('who sees and shares', () => {
  test('a personal view is seen by nobody else, a shared one by all who hold the page', async () => {
    const chief = await person(instance, { name: '主管', grants: EDIT })
    const { data: own } = await save(chief, { name: 'Own' })
    const { data: shared } = await save(chief, { name: 'Shared', isShared: true })
    const reader = await person(instance, { grants: READ })
    const seen = (await viewsOf(reader)).views.filter(({ by }) => by === '主管')
    expect(seen).toMatchObject([{ id: shared.id, name: 'Shared', isShared: true, isMine: false }])
    for (const { id } of [own, shared]) {
      expect(await reader.put(`${PATH}/${id}`, { name: 'x', query: 'payState=PAID', isShared: false })).toMatchObject({
        status: 404,
      })
      expect(await reader.remove(`${PATH}/${id}`)).toMatchObject({ status: 404 })
    }
    expect(await stored(chief)).toEqual([
      ['Own', 'payState=PAID', false],
      ['Shared', 'payState=PAID', true],
    ])
    const log = instance.app.db.query
      .selectFrom('operation_log')
      .select(['action', 'diff'])
      .where('actor_id', '=', chief.id)
    expect(await log.execute()).toEqual([{ action: 'shareView', diff: { name: [null, 'Shared'] } }])
  })

  test('those share who may edit there or lead somebody; others keep theirs to themselves', async () => {
    const editor = await person(instance, { grants: EDIT })
    const reader = await person(instance, { grants: READ })
    const leader = await person(instance, { grants: READ })
    await person(instance, { grants: READ, managerId: leader.id })
    const may = async (by: Caller) => [(await viewsOf(by)).mayShare, (await save(by, { isShared: true })).code]
    expect(await may(editor)).toEqual([true, 0])
    expect(await may(leader)).toEqual([true, 0])
    expect(await may(reader)).toEqual([false, 4003])
    const { data } = await save(reader, { name: 'Quiet' })
    expect(
      await reader.put(`${PATH}/${data.id}`, { name: 'Quiet', query: 'payState=PAID', isShared: true }),
    ).toMatchObject({ status: 403 })
    expect(await stored(reader)).toEqual([['Quiet', 'payState=PAID', false]])
  })

  test('an administrator clears up what a leaver shared, and sees nobody’s personal views', async () => {
    const leaver = await person(instance, { grants: EDIT })
    const { data: shared } = await save(leaver, { name: 'Left', isShared: true })
    const { data: own } = await save(leaver, { name: 'Private' })
    const admin = await person(instance, { superAdmin: true })
    expect(await admin.remove(`${PATH}/${own.id}`)).toMatchObject({ status: 404 })
    expect(await admin.remove(`${PATH}/${shared.id}`)).toMatchObject({ code: 0 })
    expect(await stored(leaver)).toEqual([['Private', 'payState=PAID', false]])
  })

  test('without the page there are no views of it', async () => {
    const stranger = await person(instance, { grants: { dictionary: ['list'], [PAGE]: [] } })
    expect(await stranger.get(`${PATH}?page=${PAGE}`)).toMatchObject({ status: 403 })
    expect(await save(stranger)).toMatchObject({ status: 403 })
    expect(await stranger.get(`${PATH}?page=nowhere`)).toMatchObject({ status: 403 })
  })
})

describe('the views of all lists at once', () => {
  const every = async (by: Caller) => (await by.get<(View & { page: string; names: string[] })[]>('/common/views')).data

  test('are one’s own first and those colleagues share, each with its page and how it is typed', async () => {
    const [me, colleague] = [
      await person(instance, { name: '王', grants: READ }),
      await person(instance, { grants: EDIT }),
    ]
    await save(colleague, { name: '待付款', query: 'payState=UNPAID', isShared: true })
    await save(colleague, { name: 'Private' })
    await save(me, { name: '重点订单' })
    const views = await every(me)
    expect(views[0]).toMatchObject({ name: '重点订单', page: PAGE, query: 'payState=PAID', isMine: true, by: '王' })
    expect(views[0]?.names).toEqual(['重点订单', 'zhongdiandingdan', 'zddd'])
    expect(views.map(({ name }) => name)).toContain('待付款')
    expect(views.map(({ name }) => name)).not.toContain('Private')
  })

  test('are none of a list that somebody may not see, shared or own', async () => {
    const me = await person(instance, { grants: { [PAGE]: ['detail'] } })
    expect(await every(me)).toEqual([])
    expect(await every(await person(instance, { grants: {} }))).toEqual([])
  })
})
