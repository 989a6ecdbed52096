import { Input, Select } from 'antd'
import { MOST_VERSE } from '#engines/copybook/order.model.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { VERSES } from './verses.model.ts'

const OPTIONS = VERSES.map(verse => ({ value: verse, label: verse.replaceAll('\n', '') }))

type Props = { readonly id?: string; readonly value?: string; onChange?(verse: string): void }

/** What is typed, or one of those everybody knows; line by line, as it is to stand. */
export function VerseInput({ id, value = '', onChange }: Props) {
  const say = useTexts<typeof locale>('sales/name-sheet')
  return (
    <div className="name-sheet-verse">
      <Input.TextArea
        {...(id === undefined ? {} : { id })}
        autoSize={{ minRows: 2, maxRows: 5 }}
        maxLength={MOST_VERSE}
        value={value}
        onChange={event => onChange?.(event.target.value)}
      />
      <Select
        aria-label={say('verse-choose')}
        placeholder={say('verse-choose')}
        options={OPTIONS}
        value={null}
        onChange={(verse: string | null) => verse !== null && onChange?.(verse)}
      />
    </div>
  )
}
