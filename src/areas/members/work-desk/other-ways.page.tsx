import { Input, Space } from 'antd'
import { useState } from 'react'
import type { DeskWork } from '#areas/members/work/desk.model.ts'
import { ReferencePicker } from '#kit/page/field/reference-picker.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useDeskScreen, useScreenTexts } from './desk-screen.page.tsx'
import type { locale } from './locale.ts'
import { Question } from './question.page.tsx'
import type { useDesk } from './use-desk.page.tsx'

const MAX_REASON = 200

type Props = {
  work: DeskWork
  desk: ReturnType<typeof useDesk>
  /** Something was said of it that nobody has sent. */
  isSaid: boolean
  onDone(): void
}

/** What may be done with a work besides saying something of it. */
export function OtherWays({ work: { id }, desk: { deed }, isSaid, onDone }: Props) {
  const say = useTexts<typeof locale>('members/work-desk')
  const pass = (toId: string | null) => deed.mutate({ path: `${id}/let-go`, body: { toId } }, { onSuccess: onDone })
  const sendBack = (reason: string) =>
    deed.mutate({ path: `${id}/send-back`, body: { reason }, goesOn: true }, { onSuccess: onDone })
  return (
    <Space size={4} wrap>
      <SendBack onSend={sendBack} />
      <HandOver onHand={pass} />
      <Question
        by="l"
        name={say('desk.let-go')}
        title={say('desk.discard-ask')}
        okText={say('desk.discard')}
        isAsked={isSaid}
        onConfirm={() => pass(null)}
      />
    </Space>
  )
}

/** The pupil is to write it again, and is told why. */
function SendBack({ onSend }: { onSend(reason: string): void }) {
  const say = useTexts<typeof locale>('members/work-desk')
  const sayOfScreen = useScreenTexts()
  const [reason, setReason] = useState('')
  return (
    <Question
      by="d"
      danger
      name={say('desk.send-back')}
      title={say('desk.send-back-ask')}
      isAnswered={reason.trim() !== ''}
      onConfirm={() => onSend(reason.trim())}
    >
      <Input.TextArea
        aria-label={sayOfScreen('field.returnedFor')}
        placeholder={sayOfScreen('field.returnedFor')}
        value={reason}
        maxLength={MAX_REASON}
        onChange={({ target }) => setReason(target.value)}
      />
    </Question>
  )
}

/** A colleague goes on with it. */
function HandOver({ onHand }: { onHand(toId: string): void }) {
  const say = useTexts<typeof locale>('members/work-desk')
  const { key } = useDeskScreen()
  const [toId, setToId] = useState('')
  return (
    <Question
      by="k"
      name={say('desk.hand-over')}
      title={say('desk.hand-over')}
      isAnswered={toId !== ''}
      onConfirm={() => onHand(toId)}
    >
      <ReferencePicker
        to="staff"
        aria-label={say('desk.hand-over')}
        holding={{ page: key, action: 'take' }}
        value={toId}
        onChange={setToId}
      />
    </Question>
  )
}
