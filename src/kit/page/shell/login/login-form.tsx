import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { CODES } from '#kit/model/contract.ts'
import { CallFailed, get, post, splitMessage } from '../../call.ts'
import { useTexts } from '../../language.ts'
import { useServerSettings } from '../../server-settings.ts'
import { writeToken } from '../../token.ts'
import { redirectOf } from '../session/guard.ts'
import { DemoAccounts } from './demo-accounts.tsx'
import { type Failure, FailureNote } from './failure.tsx'
import { Field } from './field.tsx'
import type { locale } from './locale.ts'
import { SecondStep } from './second-step.tsx'

type Name = 'username' | 'password' | 'captcha'
type Captcha = { key: string; image: string }
/** A picture, or that it is on its way, or that it did not come. */
type Picture = Captcha | 'coming' | 'missing'

const EMPTY: Record<Name, string> = { username: '', password: '', captcha: '' }

/** Plain inputs: everybody waits for this page, and antd's form would double what it loads. */
export function LoginForm() {
  const say = useTexts<typeof locale>('kit/page/shell/login')
  const asksCaptcha = useServerSettings(({ settings }) => settings?.captcha ?? true)
  const [values, setValues] = useState(EMPTY)
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({})
  const [failure, setFailure] = useState<Failure>()
  const [sending, setSending] = useState(false)
  const [ticket, setTicket] = useState<string>()
  const [picture, renewPicture] = usePicture(asksCaptcha)
  const captcha = typeof picture === 'object' ? picture : undefined
  const captchaInput = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const { search } = useLocation()

  const fieldOf = (name: Name) => ({
    name,
    label: say(name),
    value: values[name],
    error: errors[name],
    onChange(value: string) {
      setValues(before => ({ ...before, [name]: value }))
      setErrors(({ [name]: _, ...others }) => others)
    },
  })

  const refuse = (error: unknown) => {
    const fields = error instanceof CallFailed ? error.fields : {}
    setErrors(fields)
    // An error that stands beside its field is not said twice.
    if (Object.keys(fields).length === 0)
      setFailure(
        error instanceof CallFailed && error.message ? splitMessage(error.message) : { title: say('unreachable') },
      )
    setValues(before => ({ ...before, captcha: '' }))
    renewPicture()
    captchaInput.current?.focus()
  }

  const enter = (token: string) => {
    writeToken(token)
    navigate(redirectOf(search), { replace: true })
  }

  /** A picture is good once, and a password is typed anew by whoever begins again. */
  const beginAgain = () => {
    setTicket(undefined)
    setValues(({ username }) => ({ ...EMPTY, username }))
    renewPicture()
  }

  const signIn = async (event: FormEvent) => {
    event.preventDefault()
    const wanted: Name[] = asksCaptcha ? ['username', 'password', 'captcha'] : ['username', 'password']
    const missing = wanted.filter(name => values[name].trim() === '')
    setErrors(Object.fromEntries(missing.map(name => [name, say(`${name}-missing`)])))
    if (missing.length > 0 || sending) return
    setSending(true)
    setFailure(undefined)
    try {
      enter(await post<string>('/auth/login', values, { query: { verKey: captcha?.key } }))
    } catch (error) {
      const asked = ticketIn(error)
      if (asked === undefined) refuse(error)
      else setTicket(asked)
    } finally {
      setSending(false)
    }
  }

  if (ticket !== undefined) return <SecondStep ticket={ticket} onToken={enter} onBack={beginAgain} />
  return (
    <>
      <form className="ink-form" noValidate onSubmit={signIn}>
        <FailureNote failure={failure} />
        <Field {...fieldOf('username')} autoComplete="username" autoFocus maxLength={50} />
        <Field {...fieldOf('password')} autoComplete="current-password" isSecret maxLength={512} />
        {asksCaptcha && (
          <Field {...fieldOf('captcha')} inputRef={captchaInput} autoComplete="off" maxLength={10}>
            <button
              type="button"
              className="ink-captcha"
              onClick={renewPicture}
              aria-label={say('captcha-renew')}
              title={say('captcha-renew')}
            >
              {captcha && <img src={captcha.image} alt="" />}
            </button>
          </Field>
        )}
        <button type="submit" className="ink-button ink-button-primary" disabled={sending || picture === 'coming'}>
          {say('sign-in')}
        </button>
      </form>
      <DemoAccounts
        onPick={({ account, password }) => {
          setValues(before => ({ ...before, username: account, password }))
          setErrors({})
          captchaInput.current?.focus()
        }}
      />
    </>
  )
}

/** The password was right, and a second step is asked for. */
const ticketIn = (error: unknown): string | undefined =>
  error instanceof CallFailed && error.code === CODES['second-step']
    ? (error.current as { ticket: string }).ticket
    : undefined

/**
 * A picture is good for one attempt: a new one comes by click and after every failure. While it is on its way nothing is
 * sent: signs typed for no picture, or for the one before, would be refused whatever they are.
 */
function usePicture(isWanted: boolean): [Picture, () => void] {
  const [picture, setPicture] = useState<Picture>(isWanted ? 'coming' : 'missing')
  const renew = useCallback(() => {
    if (!isWanted) return setPicture('missing')
    setPicture('coming')
    get<Captcha>('/auth/captcha').then(setPicture, () => setPicture('missing'))
  }, [isWanted])
  useEffect(
    function fetchTheFirst() {
      renew()
    },
    [renew],
  )
  return [picture, renew]
}
