import { Input, Modal } from 'antd'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { takeKeys } from '../../early-keys.ts'
import { useTexts } from '../../language.ts'
import { usePhone } from '../look/media.ts'
import { FoundList } from './found-list.tsx'
import type { locale } from './locale.ts'
import { type Entry, findEntries } from './search.ts'
import { useEntries, useRecordEntries } from './use-entries.ts'
import { useRecords } from './use-records.ts'
import './palette.css'

/** Records, screens, what can be done and views, by whatever people call them: one box, reached and used by keys alone. */
export function Palette({ open, onClose }: { open: boolean; onClose(): void }) {
  const say = useTexts<typeof locale>('kit/page/shell/palette')
  const isPhone = usePhone()
  const [typed, setTyped] = useState('')
  const [isComposing, setComposing] = useState(false)
  const entries = useEntries(open)
  const { records, isSearching, note } = useRecords(open ? typed : '', isComposing)
  const recordEntries = useRecordEntries(records)
  const found = [...recordEntries, ...findEntries(entries, typed)]
  const list = useId()

  const choose = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.open()
  }
  const { at, move, wait } = useMark(found, typed, isSearching, choose)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      move(step)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      if (found[at]) choose(found[at])
      else if (isSearching) wait()
    }
  }
  return (
    <Modal
      open={open}
      onCancel={onClose}
      footer={null}
      closable={false}
      width={640}
      style={{ top: isPhone ? 8 : 72 }}
      destroyOnHidden
      title={say('palette')}
      className="ink-palette"
      classNames={{ header: 'ink-hidden' }}
      afterClose={() => setTyped('')}
    >
      <Input
        autoFocus
        size="large"
        variant="borderless"
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={found[at] ? `${list}-${at}` : undefined}
        aria-label={say('palette')}
        placeholder={say('placeholder')}
        value={typed}
        maxLength={100}
        onChange={event => setTyped(event.target.value)}
        onFocus={() => setTyped(typed + takeKeys())}
        onKeyDown={onKeyDown}
        onCompositionStart={() => setComposing(true)}
        onCompositionEnd={() => setComposing(false)}
      />
      <div className={isSearching ? 'ink-palette-line ink-palette-busy' : 'ink-palette-line'} />
      <FoundList id={list} entries={found} at={at} onChoose={choose} />
      <Words typed={typed} isEmpty={found.length === 0} isSearching={isSearching} note={note} />
    </Modal>
  )
}

type WordsProps = { typed: string; isEmpty: boolean; isSearching: boolean; note: string | undefined }

/** What is going on, and what there is to do when nothing came of it. */
function Words({ typed, isEmpty, isSearching, note }: WordsProps) {
  const say = useTexts<typeof locale>('kit/page/shell/palette')
  return (
    <>
      {isEmpty && !isSearching && note === undefined && (
        <div className="ink-palette-empty">
          <strong>{say('empty', { text: typed.trim() })}</strong>
          <span>{say('empty-hint')}</span>
        </div>
      )}
      {note !== undefined && <p className="ink-palette-note">{note}</p>}
      <p className="ink-hint" role="status">
        {isSearching ? say('searching') : <span className="ink-hint-keys">{say('hint')}</span>}
      </p>
    </>
  )
}

/**
 * Which entry the keys stand on: the first that was there for this text, or where the arrows went. Records that come later
 * do not take the mark away from what somebody is about to open.
 */
function useMark(found: readonly Entry[], typed: string, isSearching: boolean, choose: (entry: Entry) => void) {
  const [mark, setMark] = useState<{ typed: string; key: string }>()
  const [isWaiting, setWaiting] = useState('')
  const marked = mark?.typed === typed ? found.findIndex(({ key }) => key === mark.key) : -1
  const at = Math.max(0, marked)
  const first = found[0]
  if (marked < 0 && first) setMark({ typed, key: first.key })
  const newest = useRef(choose)
  newest.current = choose
  useEffect(
    function openWhatWasWaitedFor() {
      if (isWaiting === '' || isSearching) return
      setWaiting('')
      if (isWaiting === typed && first) newest.current(first)
    },
    [isWaiting, isSearching, typed, first],
  )
  return {
    at,
    move(step: number) {
      const next = found[(at + step + found.length) % Math.max(found.length, 1)]
      if (next) setMark({ typed, key: next.key })
    },
    /** Somebody who is sure of a number presses Enter before it is found: it opens when it is. */
    wait: () => setWaiting(typed),
  }
}
