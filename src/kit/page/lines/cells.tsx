import { Input, InputNumber } from 'antd'
import { ReferencePicker } from '../field/reference-picker.tsx'
import { readWhole, WHOLE } from '../figures.ts'
import type { Cell } from './column.ts'

type Asked<V> = Pick<Cell<never, V>, 'value' | 'given' | 'change'>

/** A cell of plain text. */
export const words = (max: number, placeholder = '') => ({
  paste: (text: string) => text.slice(0, max),
  cell: ({ value, given, change }: Asked<string>) => (
    <Input
      {...given}
      maxLength={max}
      placeholder={placeholder}
      value={value}
      onChange={event => change(event.target.value)}
    />
  ),
})

type Bounds = { min: number; max: number; suffix?: string; isOff?: boolean }

/** A cell of a whole number; one that was emptied is the least again. */
export const whole = ({ min, max, suffix, isOff = false }: Bounds) => ({
  paste: readWhole,
  cell: ({ value, given, change }: Asked<number>) => (
    <InputNumber
      {...given}
      min={min}
      max={max}
      {...WHOLE}
      {...(suffix === undefined ? {} : { suffix })}
      disabled={isOff}
      value={value}
      onChange={next => change(next ?? min)}
      style={{ width: '100%' }}
    />
  ),
})

/** A cell that names a record of another slice. */
export const picked = (to: string) => ({
  cell: ({ value, given, change }: Asked<string>) => (
    <ReferencePicker to={to} {...given} value={value} onChange={change} />
  ),
})
