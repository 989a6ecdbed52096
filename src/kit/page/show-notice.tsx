import { CheckOutlined, CopyOutlined } from '@ant-design/icons'
import { Button, Space } from 'antd'
import type { NotificationInstance } from 'antd/es/notification/interface'
import { useState } from 'react'
import { NOTICE_SECONDS } from '#kit/model/contract.ts'
import { keepNotice, type Notice, runAction } from './kept-notices.ts'
import { useTexts } from './language.ts'
import type { locale } from './locale.ts'
import { writeClipboard } from './write-clipboard.ts'

/** Shows a notice for 2.5 seconds (spec §9), longer only while the pointer or the focus is on it, and keeps it to be read again. */
export function showNotice(api: NotificationInstance, notice: Notice, stays = false): void {
  if (!stays) keepNotice(notice)
  const { key, kind, title, description, incident, actions = [] } = notice
  const hasActions = actions.length > 0 || incident !== undefined
  api[kind]({
    key,
    title,
    description,
    // antd knows the pointer but not the focus, and showing a notice anew would take the focus from it.
    duration: false,
    role: kind === 'error' ? 'alert' : 'status',
    ...(hasActions ? { actions: <NoticeActions of={notice} onRun={() => api.destroy(key)} /> } : {}),
    ...(stays ? {} : { props: passing(key, () => api.destroy(key)) }),
  })
}

const timers = new Map<string, ReturnType<typeof setTimeout>>()

/** Ends a notice after its time; who points at it or stands in it holds that up. */
function passing(key: string, end: () => void) {
  const holding = new Set<'pointer' | 'focus'>()
  const wait = () => {
    clearTimeout(timers.get(key))
    if (holding.size === 0) timers.set(key, setTimeout(end, NOTICE_SECONDS * 1_000))
  }
  const hold = (by: 'pointer' | 'focus', isHeld: boolean) => () => {
    if (isHeld) holding.add(by)
    else holding.delete(by)
    wait()
  }
  wait()
  return {
    onPointerEnter: hold('pointer', true),
    onPointerLeave: hold('pointer', false),
    onFocus: hold('focus', true),
    onBlur: hold('focus', false),
  }
}

/** What may be done about a notice: where it is shown, and where it is read again. */
export function NoticeActions({ of: { key, incident, actions = [] }, onRun }: { of: Notice; onRun(): void }) {
  return (
    <Space wrap>
      {incident !== undefined && <CopyIncident number={incident} />}
      {actions.map(action => (
        <Button
          key={action.label}
          size="small"
          type={action.primary ? 'primary' : 'default'}
          onClick={() => {
            onRun()
            runAction(key, action)
          }}
        >
          {action.label}
        </Button>
      ))}
    </Space>
  )
}

/** Says on the spot that it worked: another notice would cover the one it stands on. */
function CopyIncident({ number }: { number: string }) {
  const say = useTexts<typeof locale>('kit/page')
  const [isCopied, setCopied] = useState(false)
  return (
    <Button
      size="small"
      icon={isCopied ? <CheckOutlined aria-hidden /> : <CopyOutlined aria-hidden />}
      onClick={() => void writeClipboard(number).then(setCopied)}
    >
      {say(isCopied ? 'copy-ok' : 'copy-incident')}
    </Button>
  )
}
