import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import type { Label } from '#kit/model/resource.ts'
import { get } from '../call.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { ReferenceLabel } from './show.tsx'

const TYPING_MS = 250

type Props<T> = {
  to: string
  id?: string
  value?: T
  onChange?: (value: T) => void
  disabled?: boolean
  placeholder?: string
}

/** Chooses a record of another slice by the beginning of its name; what is already chosen is named by its label. */
export function ReferencePicker({ to, value, onChange, ...control }: Props<string>) {
  const { options, search } = useReferenceOptions(to, value === undefined || value === '' ? [] : [value])
  return (
    <Select
      {...control}
      value={value || undefined}
      onChange={chosen => onChange?.(chosen ?? '')}
      allowClear
      showSearch={{ filterOption: false, onSearch: search }}
      options={options}
      style={{ width: '100%' }}
    />
  )
}

export function ReferencesPicker({ to, value = [], onChange, ...control }: Props<string[]>) {
  const { options, search } = useReferenceOptions(to, value)
  return (
    <Select
      {...control}
      mode="multiple"
      maxTagCount="responsive"
      value={value}
      onChange={chosen => onChange?.(chosen)}
      allowClear
      showSearch={{ filterOption: false, onSearch: search }}
      options={options}
      style={{ width: '100%' }}
    />
  )
}

function useReferenceOptions(to: string, chosen: readonly string[]) {
  const say = useTexts<typeof locale>('kit/page')
  const [typed, setTyped] = useState('')
  const [timer, setTimer] = useState<ReturnType<typeof setTimeout>>()
  const found = useQuery({
    queryKey: ['reference', to, typed],
    queryFn: ({ signal }) => get<Label[]>(`/common/reference/${to}`, { query: { query: typed }, signal }),
  })
  const named = useQuery({
    queryKey: ['reference', to, 'ids', chosen],
    queryFn: ({ signal }) => get<Label[]>(`/common/reference/${to}`, { query: { ids: chosen.join(',') }, signal }),
    enabled: chosen.length > 0,
  })
  const labels = new Map([...(named.data ?? []), ...(found.data ?? [])].map(label => [label.id, label]))
  return {
    options: [...labels.values()].map(label => ({
      value: label.id,
      label: <ReferenceLabel label={label} />,
      title: say('pick-to-search'),
    })),
    search(text: string) {
      clearTimeout(timer)
      setTimer(setTimeout(() => setTyped(text.trim()), TYPING_MS))
    },
  }
}
