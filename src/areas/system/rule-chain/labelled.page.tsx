import { Input, InputNumber } from 'antd'
import { type ReactNode, useId, useState } from 'react'

export function Labelled({ label, children }: { label: string; children(id: string): ReactNode }) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  )
}

type Props = {
  id: string
  slot: 'text' | 'whole' | 'fraction' | 'number'
  value: string | undefined
  onEnter(value: string | number | undefined): void
}

/** Taken over with Enter or when the field is left: half a word is not an edit. Written anew elsewhere, it is shown anew. */
export const Typed = (props: Props) => <Entered key={props.value} {...props} />

function Entered({ id, slot, value = '', onEnter }: Props) {
  const [entered, setEntered] = useState(value)
  const take = (): void => {
    const text = entered.trim()
    // Blanks around what was written are not taken away by whoever only passes by.
    if (entered === value || text === value) return
    if (slot === 'text') onEnter(text === '' ? undefined : text)
    else onEnter(text === '' ? undefined : Number(text))
  }
  const keys = {
    onPressEnter: (event: { preventDefault(): void }) => {
      event.preventDefault()
      take()
    },
    onBlur: take,
  }
  if (slot === 'text')
    return <Input id={id} size="small" value={entered} {...keys} onChange={event => setEntered(event.target.value)} />
  return (
    <InputNumber
      id={id}
      size="small"
      {...RANGES[slot]}
      value={entered === '' ? null : Number(entered)}
      {...keys}
      onChange={next => setEntered(next === null ? '' : String(next))}
    />
  )
}
const RANGES = {
  whole: { min: 0, precision: 0 },
  fraction: { min: 0, max: 1, step: 0.1 },
  number: {},
} as const
