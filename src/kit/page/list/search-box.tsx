import { Input } from 'antd'
import { useRef, useState } from 'react'
import { phoneBelow } from '#kit/model/child.ts'
import { CODES } from '#kit/model/contract.ts'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import { isEnd, isPersonal, readTyped } from '#kit/model/typed.ts'
import { CallFailed, post, reasonOf } from '../call.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { useNotices } from '../notice.tsx'
import { addressOf } from './list-state.ts'

type Props = {
  resource: Resource
  query: string
  onQuery(query: string): void
  onFilter(change: Record<string, readonly string[] | undefined>): void
  /** Why the last number was not answered. */
  onRefused(reason: string): void
}

/** A phone number, or its end with a name, is exchanged for whom it belongs to by a call of its own: it never stands in the address. */
export function SearchBox({ resource, query, onQuery, onFilter, onRefused }: Props) {
  const say = useTexts<typeof locale>('kit/page')
  const field = useTexts(resource.screen.name)
  const notices = useNotices()
  const [typed, setTyped] = useState(query)
  const [followed, setFollowed] = useState(query)
  /** The filter the last number became. */
  const [became, setBecame] = useState<string>()
  // Only another address changes the box: a tab that comes back shows what was typed there and not yet sent.
  if (query !== followed) {
    setFollowed(query)
    setTyped(query)
  }
  const phoneField = resource.at === undefined ? undefined : phoneBelow(resource)
  const searches = useRef(0)
  const search = async (text: string) => {
    searches.current += 1
    const mine = searches.current
    const isOvertaken = () => mine !== searches.current
    const wanted = readTyped(text)
    // A search takes the place of the one before, whichever way that one was answered.
    const former = { query: undefined, nobody: undefined, ...(became === undefined ? {} : { [became]: undefined }) }
    const searchText = () => (text.trim() ? onFilter({ ...former, query: [text.trim()] }) : onQuery(''))
    // Below a record nothing but the box says what is looked for: emptied, it looks for nothing.
    if (phoneField !== undefined && !wanted) return onFilter(former)
    // Below one record the last four digits tell no more than its rows show.
    if (!isPersonal(wanted) && !(phoneField !== undefined && isEnd(text))) {
      if (resource.list.search.length === 0) return onRefused(say('phone-or-end'))
      return searchText()
    }
    // The address says so, and not only this page: whatever is asked of the list then is asked of nobody.
    const showNobody = (why: '1' | 'refused') => onFilter({ ...former, nobody: [why] })
    try {
      const phone = wanted?.kind === 'phone' ? wanted.phone : text.trim()
      const found = await post<{ field: string; ids: string[] }>(`${addressOf(resource)}/find-by-phone`, { phone })
      if (isOvertaken()) return
      const isElse = wanted?.kind === 'last-four' && wanted.isJoined && knowsOtherNames(resource)
      if (found.ids.length === 0) return isElse ? searchText() : showNobody('1')
      setTyped('')
      setBecame(found.field)
      onFilter({ ...former, [found.field]: found.ids })
    } catch (error) {
      if (isOvertaken()) return
      // A list without people in it has nobody to find by a number; four digits may well be part of a name there.
      const isWithoutPeople = error instanceof CallFailed && error.code === CODES['not-found']
      if (isWithoutPeople) return wanted?.kind === 'phone' ? showNobody('1') : searchText()
      notices.failed(error, say('load-failed'))
      // What was found before is no answer to this: in its place stands why there is none.
      if (error instanceof CallFailed) onRefused(reasonOf(error))
      showNobody('refused')
    }
  }
  const names = [resource.list.search, phoneBelow(resource) ?? []]
    .flat()
    .map(name => field(`field.${name}`))
    .join('/')
  return (
    <Input.Search
      data-search
      aria-label={say('search')}
      // The glass beside it says what is done with them.
      placeholder={names}
      title={say('search-in', { names })}
      allowClear
      value={typed}
      onChange={event => setTyped(event.target.value)}
      onSearch={search}
      className="inkstone-search"
    />
  )
}

/** Whether a number finds people in it, or what is theirs. */
export const findsPeople = (resource: Resource): boolean =>
  phoneBelow(resource) !== undefined || resource.list.search.some(field => metaOf(resource, field).kind === 'reference')

/** Products and the like, beside people and numbers. */
const knowsOtherNames = (resource: Resource): boolean =>
  resource.list.search.some(field => field !== 'name' && metaOf(resource, field).kind === 'text')
