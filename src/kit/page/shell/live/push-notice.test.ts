import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { NOTIFYING_PUSHES, PUSHES, type Push, type PushType } from '#kit/model/contract.ts'
import { userInfo } from '../../../../../tools/testing/console.tsx'
import { switchLanguage } from '../../language.ts'
import { useReceived } from '../../received.ts'
import { readToken, writeToken } from '../../token.ts'
import { useUser } from '../../user.ts'
import { type Announcement, hear } from '../notice/announce.ts'
import { setNavigate } from '../session/navigation.ts'
import { receive } from './push-notice.ts'

const push = (type: PushType, key = 'k', content: object = {}, token: string | null = null): Push => ({
  type,
  key,
  content: JSON.stringify(content),
  token,
})

describe('a push', () => {
  const said: Announcement[] = []
  const refreshed: unknown[] = []
  const opened: string[] = []
  const client = {
    invalidateQueries: vi.fn(
      async (filter: { queryKey?: readonly unknown[] } = {}) => void refreshed.push(filter.queryKey),
    ),
  }
  let silence = () => {}

  beforeEach(async () => {
    await switchLanguage('en-US')
    for (const list of [said, refreshed, opened]) list.length = 0
    silence = hear(announcement => said.push(announcement))
    setNavigate(to => void opened.push(to))
    useReceived.setState({ received: [] })
    useUser.setState({ info: userInfo({ superAdmin: true }), permissions: new Map() })
  })
  afterEach(() => silence())

  const labels = () => said.at(-1)?.actions?.map(({ label }) => label)

  test('shows a passing notification for types 1, 2, 4, 5, 9, 10 and 11, and for no other', () => {
    for (const type of Object.keys(PUSHES).map(Number) as PushType[])
      receive(push(type, `key-${type}`), client as never, new Date())
    expect(said.map(({ key }) => Number(key.split('-')[1]))).toEqual([...NOTIFYING_PUSHES])
    expect(said.some(({ stays }) => stays)).toBe(false)
    expect(useReceived.getState().received.map(({ push: { type } }) => type)).toEqual([11, 10, 9, 5, 4, 2, 1])
  })

  test('says nothing of what one did oneself, and shows the fresh rows all the same', () => {
    receive(push(2, '1', { by: useUser.getState().info?.id, orderNo: '1' }), client as never, new Date())
    expect([said, useReceived.getState().received]).toEqual([[], []])
    expect(refreshed).toContainEqual(['orders/order'])
    receive(push(2, '2', { by: 'somebody else', orderNo: '2' }), client as never, new Date())
    expect(said).toHaveLength(1)
  })

  test('an order placed tells who, what and how much, and its view button opens the orders', () => {
    receive(
      push(2, '1', { name: '王小明', product: '年度会员', amountFen: 29_900, orderNo: '202611150000000001' }),
      client as never,
      new Date(),
    )
    expect(said[0]).toMatchObject({
      title: 'New order',
      description: '王小明 · 年度会员 · ¥299.00 · 202611150000000001',
    })
    expect(labels()).toEqual(['View'])
    said[0]?.actions?.[0]?.run()
    expect(opened).toEqual(['/order/list'])
    expect(refreshed).toEqual([['orders/order']])
  })

  test('the view button is absent for whoever may not open the page', () => {
    receive(push(9), client as never, new Date())
    expect(labels()).toEqual(['View'])
    useUser.setState({ info: userInfo({}), permissions: new Map() })
    receive(push(2), client as never, new Date())
    expect(labels()).toEqual([])
  })

  test('a browse reminder can be dismissed: that key is hidden from then on, others are not', () => {
    receive(push(1, 'lead-7'), client as never, new Date())
    expect(labels()).toEqual(['View', 'Do not remind me again'])
    said[0]?.actions?.at(-1)?.run()
    receive(push(1, 'lead-7'), client as never, new Date())
    receive(push(1, 'lead-8'), client as never, new Date())
    receive(push(2, 'lead-7'), client as never, new Date())
    expect(said.map(({ key }) => key)).toEqual(['push-1-lead-7', 'push-1-lead-8', 'push-2-lead-7'])
  })

  test('a refund refreshes the unread count and says nothing', () => {
    receive(push(8), client as never, new Date())
    expect(refreshed).toContainEqual(['refund-notices'])
    expect(said).toEqual([])
  })

  test('a rotated token takes the place of the old one', () => {
    writeToken('old')
    receive(push(3, '', {}, 'new'), client as never, new Date())
    expect(readToken()).toBe('new')
    expect(said).toEqual([])
  })

  test('a kind the person switched off does not pop up, but refreshes its page', () => {
    useUser.setState({ info: { ...userInfo({ superAdmin: true }), preference: { mutedPushes: [2] } } })
    receive(push(2), client as never, new Date())
    expect(said).toEqual([])
    expect(refreshed).toEqual([['orders/order']])
  })

  test('content nobody can read is shown as nothing', () => {
    receive({ type: 2, key: 'k', content: '{', token: null }, client as never, new Date())
    expect(said[0]).toMatchObject({ title: 'New order', description: '' })
  })
})
