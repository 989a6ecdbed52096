import { Button, Form, Input, Popover } from 'antd'
import { useState } from 'react'
import { formatFen, parseYuan, yuanOf } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { changePreference, usePreference } from '#kit/page/preference.ts'
import type { locale } from './locale.ts'
import { NAME } from './part.page.tsx'

const PREFERENCE = 'monthlyTargetFen'

/** What somebody wants to reach in a month, in fen; nothing until they say so. */
const useTarget = (): number | null =>
  usePreference(PREFERENCE, kept => (typeof kept === 'number' && kept > 0 ? kept : null))

/** How much of the person's own target this month's money is. */
export function Completion({ fen }: { fen: number }) {
  const say = useTexts<typeof locale>(NAME)
  const target = useTarget()
  if (target === null) return null
  const percent = Math.floor((fen / target) * 100)
  return (
    <>
      <progress className="bench-target" max={target} value={Math.min(fen, target)} aria-label={say('target')} />
      <span className="bench-quiet">{say('target-done', { target: formatFen(target), percent })}</span>
    </>
  )
}

/** Sets the target, each person their own. */
export function TargetButton() {
  const say = useTexts<typeof locale>(NAME)
  const notices = useNotices()
  const target = useTarget()
  const [open, setOpen] = useState(false)
  const keep = async ({ amount }: { amount: string }) => {
    try {
      await changePreference(PREFERENCE, amount.trim() === '' ? null : parseYuan(amount))
      setOpen(false)
    } catch (error) {
      notices.failed(error, say('load-failed'))
    }
  }
  const form = (
    <Form layout="vertical" initialValues={{ amount: target === null ? '' : yuanOf(String(target)) }} onFinish={keep}>
      <Form.Item
        name="amount"
        label={say('target-amount')}
        rules={[
          {
            validator: (_, typed: string) =>
              typed.trim() === '' || parseYuan(typed) !== undefined
                ? Promise.resolve()
                : Promise.reject(new Error(say('target-wrong'))),
          },
        ]}
      >
        <Input inputMode="decimal" autoFocus />
      </Form.Item>
      <Button type="primary" htmlType="submit">
        {say('target-save')}
      </Button>
    </Form>
  )
  return (
    <Popover trigger="click" placement="bottomRight" open={open} onOpenChange={setOpen} content={form} destroyOnHidden>
      <Button size="small">{say(target === null ? 'target-set' : 'target-change')}</Button>
    </Popover>
  )
}
