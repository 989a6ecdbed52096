import { DatePicker, Input, InputNumber, Select, Skeleton, Switch } from 'antd'
import { type KeyboardEvent, lazy, Suspense, useState } from 'react'
import { MAX_DICTIONARY_TAGS } from '#kit/model/contract.ts'
import { choicesOf } from '#kit/model/field.ts'
import { metaOf, type Resource, schemaIn } from '#kit/model/resource.ts'
import { FIRST_DAY, formatInstant, LAST_DAY } from '#kit/model/time.ts'
import { figure, formatYuan, parseYuan, readWhole } from '../figures.ts'
import { useTexts } from '../language.ts'
import { useDays } from './days.ts'
import { useDictionary } from './dictionary.ts'
import { FilesInput } from './files.tsx'
import { ReferencePicker } from './reference-picker.tsx'
import { Several } from './tab-leaves.tsx'

// Few forms name a record of a tree.
const TreePicker = lazy(async () => ({ default: (await import('../tree/tree-picker.tsx')).TreePicker }))

/** What antd's Form.Item hands to the control inside it. */
export type InputProps<T> = { id?: string; value?: T; onChange?: (value: T) => void; disabled?: boolean }

/** The input of a field, by its kind. */
export function FieldInput({ resource, field, ...given }: { resource: Resource; field: string }) {
  // Form.Item adds id, value and onChange, of the type the field's kind has.
  const control: object = given
  const meta = metaOf(resource, field)
  switch (meta.kind) {
    case 'long-text':
      return <Input.TextArea {...control} autoSize={{ minRows: 3, maxRows: 8 }} maxLength={meta.max} showCount />
    case 'money':
      return <MoneyInput {...control} />
    case 'number':
      return meta.isShare ? <ShareInput {...control} least={meta.min} most={meta.max} /> : <WholeInput {...control} />
    case 'flag':
      return <Switch {...control} />
    case 'choice':
      return <ChoiceInput resource={resource} field={field} {...control} />
    case 'dictionary':
      return <DictionarySelect code={meta.code} {...control} />
    case 'tags':
      return <DictionaryTags code={meta.code} {...control} />
    case 'reference':
      return meta.treeOf === undefined ? (
        <ReferencePicker to={meta.to} {...(meta.holding && { holding: meta.holding })} {...control} />
      ) : (
        <Suspense fallback={<Skeleton.Input block active />}>
          <TreePicker to={meta.to} {...control} />
        </Suspense>
      )
    case 'day':
      return <DayInput {...control} />
    case 'instant':
      return <InstantInput {...control} />
    case 'files':
      return <FilesInput purpose={meta.purpose} {...control} />
    // Whose number it is, is somebody else: a browser fills in nothing of its own user.
    case 'personal':
      return <Input {...control} autoComplete="off" {...(meta.personal === 'phone' ? { inputMode: 'tel' } : {})} />
    case 'code':
      return <Input {...control} autoComplete="off" autoCapitalize="none" spellCheck={false} />
    default:
      return <Input {...control} />
  }
}

function ChoiceInput({ resource, field, ...control }: { resource: Resource; field: string } & InputProps<string>) {
  const say = useTexts(resource.screen.name)
  const options = choicesOf(schemaIn(resource, field)).map(value => ({
    value,
    label: say(`${field}.${value}`),
  }))
  return <Select {...control} options={options} />
}

function DictionarySelect({ code, ...control }: { code: string } & InputProps<string>) {
  const options = useDictionary(code).map(({ k, v, enabled }) => ({ value: v, label: k, disabled: !enabled }))
  return <Select {...control} options={options} showSearch={{ optionFilterProp: 'label' }} />
}

function DictionaryTags({ code, ...control }: { code: string } & InputProps<string[]>) {
  const options = useDictionary(code).map(({ k, v, enabled }) => ({ value: v, label: k, disabled: !enabled }))
  return <Several {...control} options={options} maxTagCount={MAX_DICTIONARY_TAGS} />
}

/** Yuan as people type them, fen as the form holds them; what is no amount stays visible and is refused. */
export function MoneyInput({ value, onChange, ...control }: InputProps<number | string>) {
  const [typed, setTyped] = useState<string>()
  const shown = typed ?? (typeof value === 'number' ? formatYuan(value) : (value ?? ''))
  return (
    <Input
      {...control}
      prefix="¥"
      inputMode="decimal"
      value={shown}
      onChange={event => {
        setTyped(event.target.value)
        onChange?.(parseYuan(event.target.value) ?? event.target.value)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}

/** A whole number as the language on screen writes it; what is none stays visible and is refused. */
export function WholeInput({ value, onChange, ...control }: InputProps<number | string | null>) {
  const [typed, setTyped] = useState<string>()
  return (
    <Input
      {...control}
      inputMode="numeric"
      autoComplete="off"
      value={typed ?? value ?? ''}
      onChange={({ target: { value: text } }) => {
        setTyped(text)
        onChange?.(text.trim() === '' ? null : (readWhole(text) ?? text))
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}

type ShareProps = InputProps<number | null> & { least: number; most: number }

/** Percent as people type them, thousandths as the form holds them. */
export function ShareInput({ value, onChange, least, most, ...control }: ShareProps) {
  return (
    <InputNumber
      {...control}
      value={typeof value === 'number' ? value / 10 : null}
      onChange={percent => onChange?.(percent === null ? null : Math.round(percent * 10))}
      min={least / 10}
      max={most / 10}
      precision={1}
      decimalSeparator={figure('.')}
      suffix="%"
      style={{ width: '100%' }}
    />
  )
}

/** Enter takes the day that was typed; the browser would send the whole form with it. */
const takeOnly = (event: KeyboardEvent): void => {
  if (event.key === 'Enter') event.preventDefault()
}

function DayInput({ value, onChange, ...control }: InputProps<string>) {
  const days = useDays()
  return (
    <DatePicker
      {...control}
      onKeyDown={takeOnly}
      minDate={days(FIRST_DAY)}
      maxDate={days(LAST_DAY)}
      value={value ? days(value) : null}
      onChange={day => onChange?.(day?.format('YYYY-MM-DD') ?? '')}
      style={{ width: '100%' }}
    />
  )
}

/** Chosen and shown in Shanghai's time, wherever the browser stands. */
function InstantInput({ value, onChange, ...control }: InputProps<string>) {
  const days = useDays()
  return (
    <DatePicker
      {...control}
      showTime={{ format: 'HH:mm', minuteStep: 5 }}
      format="YYYY-MM-DD HH:mm"
      onKeyDown={takeOnly}
      minDate={days(FIRST_DAY)}
      maxDate={days(LAST_DAY).endOf('day')}
      value={value ? days(formatInstant(new Date(value))) : null}
      onChange={time => onChange?.(time ? `${time.format('YYYY-MM-DDTHH:mm')}:00+08:00` : '')}
      style={{ width: '100%' }}
    />
  )
}
