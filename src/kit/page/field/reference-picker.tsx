import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react'
import { CODES } from '#kit/model/contract.ts'
import type { Right } from '#kit/model/field.ts'
import type { Label } from '#kit/model/resource.ts'
import { isPersonal, readTyped } from '#kit/model/typed.ts'
import { CallFailed, get, post, reasonOf } from '../call.ts'
import { hasText, useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { useTyped } from '../typing.ts'
import { ReferenceLabel } from './show.tsx'
import { TabLeaves } from './tab-leaves.tsx'

type Props<T> = {
  to: string
  id?: string
  value?: T
  onChange?: (value: T) => void
  disabled?: boolean
  placeholder?: string
  'aria-label'?: string
  'aria-invalid'?: boolean
  status?: 'error'
  style?: CSSProperties
}

/** For forms: chooses a record of another slice by what people call it, among those on offer; what is already chosen is named by its label. */
export function ReferencePicker({ to, holding, value, onChange, ...control }: Props<string> & { holding?: Right }) {
  const { isSearching, ...offered } = useReferenceOptions(to, value === undefined || value === '' ? [] : [value], {
    offered: 'true',
    ...(holding && { holding: `${holding.page}:${holding.action}` }),
  })
  return (
    <EnterWaits isSearching={isSearching}>
      <Select
        {...offered}
        {...control}
        value={value || undefined}
        onChange={chosen => onChange?.(chosen ?? '')}
        allowClear
        style={{ width: '100%' }}
      />
    </EnterWaits>
  )
}

/** For filters, and wherever what is no longer on offer may be meant too. */
export function ReferencesPicker({ to, value = [], onChange, style, ...control }: Props<string[]>) {
  const { isSearching, ...offered } = useReferenceOptions(to, value)
  return (
    <TabLeaves>
      <EnterWaits isSearching={isSearching}>
        <Select
          {...offered}
          {...control}
          mode="multiple"
          maxTagCount="responsive"
          value={value}
          onChange={chosen => onChange?.(chosen)}
          allowClear
          style={style ?? { width: '100%' }}
        />
      </EnterWaits>
    </TabLeaves>
  )
}

/** Around a choice that is searched for: until the present search has been answered Enter chooses nothing, and closes nothing. */
function EnterWaits({ isSearching, children }: { isSearching: boolean; children: ReactNode }) {
  const keepEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !isSearching) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div style={{ display: 'contents' }} onKeyDownCapture={keepEnter}>
      {children}
    </div>
  )
}

/** What chosen records call themselves; none are asked for without a choice. */
export function useLabels(to: string, ids: readonly string[]): readonly Label[] {
  const { data } = useQuery({
    queryKey: ['reference', to, 'ids', ids],
    queryFn: ({ signal }) => get<Label[]>(`/common/reference/${to}`, { query: { ids: ids.join(',') }, signal }),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
  return data ?? []
}

type Among = { offered?: 'true'; holding?: string }

/** By what people call them; a phone number, or its end with a name, goes by a call of its own and stands in no address. */
async function findLabels(to: string, typed: string, among: Among, signal: AbortSignal): Promise<Label[]> {
  const wanted = readTyped(typed)
  const byName = () => get<Label[]>(`/common/reference/${to}`, { query: { query: typed, ...among }, signal })
  if (!isPersonal(wanted)) return byName()
  try {
    const { holding: _, ...offered } = among
    return await post<Label[]>(`/common/reference/${to}/find-by-phone`, { phone: typed, ...offered }, { signal })
  } catch (error) {
    // Where there are no people four digits may well be part of a name.
    if (!(error instanceof CallFailed) || error.code !== CODES['not-found']) throw error
    return wanted?.kind === 'last-four' ? byName() : []
  }
}

function useReferenceOptions(to: string, chosen: readonly string[], among: Among = {}) {
  const say = useTexts<typeof locale>('kit/page')
  const [typed, search, isTyping] = useTyped()
  const found = useQuery({
    queryKey: ['reference', to, typed, among],
    queryFn: ({ signal }) => findLabels(to, typed, among, signal),
    // Asked once, for it counts.
    ...(isPersonal(readTyped(typed)) ? { staleTime: Number.POSITIVE_INFINITY, retry: false } : {}),
    placeholderData: keepPreviousData,
  })
  const isSearching = isTyping || found.isPlaceholderData || found.isPending
  const chosenOnes = useLabels(to, chosen)
  const matches = found.data ?? []
  const labels = new Map([...chosenOnes, ...matches].map(label => [label.id, label]))
  // What is chosen is no answer to what is typed, unless it was found; nor is what an older search found.
  const offered = isSearching ? [] : typed === '' ? [...labels.values()] : matches
  const own = `pick-to-search.${to}` as const
  const hint = say(hasText('kit/page', own) ? (own as 'pick-to-search.member') : 'pick-to-search')
  const said = found.error instanceof CallFailed ? reasonOf(found.error) : say('nothing-found-for', { text: typed })
  return {
    isSearching,
    placeholder: hint,
    /** In place of options: how to get some, or why there are none. */
    notFoundContent: typed === '' || isSearching ? hint : said,
    labelRender: ({ value, label }: { value?: string | number; label?: ReactNode }) => {
      const known = labels.get(String(value))
      return known ? <ReferenceLabel label={known} /> : (label ?? value)
    },
    options: offered.map(label => ({
      value: label.id,
      label: <ReferenceLabel label={label} />,
      title: label.name,
    })),
    showSearch: { filterOption: false, onSearch: search },
  }
}
