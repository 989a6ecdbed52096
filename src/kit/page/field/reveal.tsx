import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Form, Input, Popover, Tooltip } from 'antd'
import { useEffect, useState } from 'react'
import { SHOWN_MS } from '#kit/model/mask.ts'
import type { Label, Resource } from '#kit/model/resource.ts'
import { CallFailed, post } from '../call.ts'
import { useTexts } from '../language.ts'
import type { Row } from '../list/list-state.ts'
import type { locale } from '../locale.ts'
import { useNotices } from '../notice.tsx'
import { MISSING, ReferenceLabel, Show } from './show.tsx'

type Props = { resource: Resource; field: string; row: Row }

/** A masked value with the way to see it in full, where it stands, for a while; nothing of it is kept. */
export function Reveal({ resource, field, row }: Props) {
  const kit = useTexts<typeof locale>('kit/page')
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [value, setValue] = useState<string | null>()
  const isShown = value !== undefined
  useEffect(
    function maskAgain() {
      if (!isShown) return
      const hide = () => setValue(undefined)
      const timer = setTimeout(hide, SHOWN_MS)
      return () => {
        clearTimeout(timer)
        // Its tab was left: whoever comes back to it may be somebody else.
        hide()
      }
    },
    [isShown],
  )
  const label = row.labels[field]
  return (
    <span className={isShown ? 'inkstone-reveal inkstone-reveal-shown' : 'inkstone-reveal'}>
      {isShown ? <Whole value={value} label={label} /> : <Show resource={resource} field={field} row={row} />}
      {isShown ? (
        <Tooltip title={kit('hide')}>
          <Button
            type="text"
            size="small"
            aria-label={kit('hide')}
            icon={<EyeInvisibleOutlined />}
            onClick={() => setValue(undefined)}
          />
        </Tooltip>
      ) : (
        <Popover
          open={isAsking}
          onOpenChange={setAsking}
          trigger="click"
          destroyOnHidden
          content={
            <Why
              path={`/${resource.screen.name}/${row.id}/reveal`}
              field={field}
              onAnswer={answer => {
                setAsking(false)
                setValue(answer)
                // Whoever looked stands in what happened to the record.
                void client.invalidateQueries({ queryKey: [resource.screen.name, 'timeline', row.id] })
              }}
            />
          }
        >
          <Button
            type="text"
            size="small"
            aria-label={kit('reveal')}
            title={isAsking ? '' : kit('reveal')}
            icon={<EyeOutlined />}
          />
        </Popover>
      )}
    </span>
  )
}

/** Without a copy button: personal data is read, not carried away (decision 031). */
function Whole({ value, label }: { value: string | null; label: Label | undefined }) {
  if (label) return <ReferenceLabel label={{ ...label, note: value }} />
  return <span>{value ?? MISSING}</span>
}

const SHORTEST = 2

/** Asks why, at the value it is about; the answer is written down before it comes. */
function Why({ path, field, onAnswer }: { path: string; field: string; onAnswer(value: string | null): void }) {
  const kit = useTexts<typeof locale>('kit/page')
  const notices = useNotices()
  const [reason, setReason] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [isSending, setSending] = useState(false)
  const isShort = reason.trim().length < SHORTEST
  const ask = async () => {
    if (isShort || isSending) return
    setSending(true)
    try {
      onAnswer((await post<{ value: string | null }>(path, { field, reason })).value)
    } catch (error) {
      setSending(false)
      setWrong(error instanceof CallFailed ? error.fields.reason : undefined)
      notices.failed(error, kit('load-failed'))
    }
  }
  return (
    <Form layout="vertical" className="inkstone-why" onFinish={ask}>
      <Form.Item
        label={kit('reveal-why')}
        {...(wrong === undefined ? {} : { validateStatus: 'error' as const, help: wrong })}
      >
        <Input
          aria-label={kit('reason')}
          placeholder={kit('reason')}
          maxLength={200}
          autoFocus
          value={reason}
          onChange={event => setReason(event.target.value)}
        />
      </Form.Item>
      <Button type="primary" size="small" htmlType="submit" disabled={isShort} loading={isSending}>
        {kit('reveal')}
      </Button>
    </Form>
  )
}
