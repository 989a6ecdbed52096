import type { NotificationInstance } from 'antd/es/notification/interface'
import { expect, test, vi } from 'vitest'
import { showNotice, standIn } from './show-notice.tsx'

const place = () => ({ success: vi.fn(), info: vi.fn(), destroy: vi.fn() }) as unknown as NotificationInstance

test('what is said from outside a page stands below what the page says, and not over it', () => {
  const [frame, outside] = [place(), place()]
  const leave = standIn(frame)
  showNotice(frame, { key: '1', kind: 'success', title: 'Saved' })
  showNotice(outside, { key: '2', kind: 'info', title: 'New order' })
  expect([frame.success, frame.info, outside.info].map(each => vi.mocked(each).mock.calls.length)).toEqual([1, 1, 0])
  leave()
  showNotice(outside, { key: '3', kind: 'info', title: 'Signed out' })
  expect(outside.info).toHaveBeenCalledOnce()
})
