import { Input } from 'antd'
import { useState } from 'react'
import { post } from '#kit/page/call.ts'
import { FormModal } from '#kit/page/form/form-modal.tsx'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import type { locale } from './locale.ts'
import { type FoundCode, resource } from './model.ts'

type Props = { code: string; what: FoundCode; onClose(): void; onDone(): void }

/** Asks why a code shall be worth nothing any more. */
export function VoidModal({ code, what, onClose, onDone }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const notices = useNotices()
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      await post(`/${resource.screen.name}/void`, { code, reason: reason.trim() })
      notices.done(say('void-done'))
      onDone()
    } catch (error) {
      notices.failed(error, kit('submit-failed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <FormModal
      title={`${say('void')} · ${say('ending', { last4: what.last4 })}`}
      okText={say('void')}
      okButtonProps={{ danger: true, disabled: reason.trim() === '' }}
      confirmLoading={busy}
      onClose={onClose}
      onOk={() => void send()}
    >
      <p>{say('void-text')}</p>
      <Input.TextArea
        aria-label={kit('reason')}
        placeholder={kit('reason')}
        maxLength={200}
        value={reason}
        onChange={event => setReason(event.target.value)}
      />
    </FormModal>
  )
}
