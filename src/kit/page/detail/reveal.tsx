import { Input, Modal } from 'antd'
import { useState } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { post } from '../call.ts'
import { MISSING } from '../field/show.tsx'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { useNotices } from '../notice.ts'

type Props = { resource: Resource; field: string; id: string; onClose(): void }

/** Asks why, then shows one personal value in full; nothing of it stays when the window closes. */
export function RevealModal({ resource, field, id, onClose }: Props) {
  const kit = useTexts<typeof locale>('kit/page')
  const notices = useNotices()
  const [reason, setReason] = useState('')
  const [value, setValue] = useState<string | null>()
  const reveal = async () => {
    try {
      setValue((await post<{ value: string | null }>(`/${resource.screen.name}/${id}/reveal`, { field, reason })).value)
    } catch (error) {
      notices.failed(error, kit('load-failed'))
    }
  }
  const shown = value !== undefined
  return (
    <Modal
      open
      title={kit('reveal')}
      onCancel={onClose}
      onOk={shown ? onClose : reveal}
      okText={kit(shown ? 'close' : 'reveal')}
      okButtonProps={{ disabled: !shown && reason.trim().length < 2 }}
      cancelText={kit('cancel')}
      cancelButtonProps={shown ? { style: { display: 'none' } } : {}}
    >
      {shown ? (
        // Without a copy button: personal data is read, not carried away.
        <span className="inkstone-code">{value ?? MISSING}</span>
      ) : (
        <>
          <p>{kit('reveal-why')}</p>
          <Input
            aria-label={kit('reason')}
            placeholder={kit('reason')}
            maxLength={200}
            autoFocus
            onPressEnter={() => reason.trim().length >= 2 && void reveal()}
            value={reason}
            onChange={event => setReason(event.target.value)}
          />
        </>
      )}
    </Modal>
  )
}
