import { type ReactNode, type Ref, useId, useState } from 'react'
import { useTexts } from '../../language.ts'
import type { locale } from './locale.ts'

type FieldProps = {
  name: string
  label: string
  value: string
  error: string | undefined
  onChange(value: string): void
  autoComplete: string
  maxLength: number
  autoFocus?: boolean
  isSecret?: boolean
  inputRef?: Ref<HTMLInputElement>
  children?: ReactNode
}

/** Label above, error below in words, and what belongs beside the input. */
export function Field({
  name,
  label,
  value,
  error,
  onChange,
  isSecret = false,
  inputRef,
  children,
  ...input
}: FieldProps) {
  const say = useTexts<typeof locale>('kit/page/shell/login')
  const id = useId()
  const [isShown, setShown] = useState(false)
  return (
    <div className="ink-field">
      <label htmlFor={id}>{label}</label>
      <div className="ink-input">
        <input
          {...input}
          id={id}
          ref={inputRef}
          name={name}
          type={isSecret && !isShown ? 'password' : 'text'}
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          onChange={event => onChange(event.target.value)}
        />
        {isSecret && (
          <button type="button" className="ink-show" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {say(isShown ? 'hide' : 'show')}
          </button>
        )}
        {children}
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} className="ink-error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
