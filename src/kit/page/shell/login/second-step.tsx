import { type FormEvent, useState } from 'react'
import { CallFailed, post, splitMessage } from '../../call.ts'
import { useTexts } from '../../language.ts'
import { type Failure, FailureNote } from './failure.tsx'
import { Field } from './field.tsx'
import type { locale } from './locale.ts'

type Props = { ticket: string; onToken(token: string): void; onBack(): void }

/** The password was right: the code of the person's own device, or one of those kept for its loss. */
export function SecondStep({ ticket, onToken, onBack }: Props) {
  const say = useTexts<typeof locale>('kit/page/shell/login')
  const [isLost, setLost] = useState(false)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [failure, setFailure] = useState<Failure>()
  const [isSending, setSending] = useState(false)
  const kind = isLost ? 'recovery' : 'code'
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '') return setError(say(`${kind}-missing`))
    setSending(true)
    setFailure(undefined)
    try {
      onToken(await post<string>('/auth/2step-code', { ticket, code }))
    } catch (refused) {
      const said = refused instanceof CallFailed ? refused : undefined
      setError(said?.fields.code)
      if (!said?.fields.code) setFailure(said?.message ? splitMessage(said.message) : { title: say('unreachable') })
      setCode('')
      setSending(false)
    }
  }
  return (
    <form className="ink-form" noValidate onSubmit={send}>
      <FailureNote failure={failure} />
      <Field
        key={kind}
        name="code"
        label={say(kind)}
        value={code}
        error={error}
        onChange={typed => [setCode(typed), setError(undefined)]}
        autoComplete="one-time-code"
        autoFocus
        maxLength={50}
      />
      <button type="submit" className="ink-button ink-button-primary" disabled={isSending}>
        {say('sign-in')}
      </button>
      <div className="ink-aside">
        <button type="button" onClick={() => [setLost(!isLost), setCode(''), setError(undefined)]}>
          {say(isLost ? 'use-code' : 'use-recovery')}
        </button>
        <button type="button" onClick={onBack}>
          {say('to-login')}
        </button>
      </div>
    </form>
  )
}
