import { TranslationOutlined } from '@ant-design/icons'
import { ColorPicker, Input, Switch, Typography } from 'antd'
import { useMemo } from 'react'
import { LANGUAGES, type Language } from '#kit/model/language.ts'
import { useTexts } from '#kit/page/language.ts'
import { words } from '#kit/page/lines/cells.tsx'
import type { Column } from '#kit/page/lines/column.ts'
import { Lines } from '#kit/page/lines/lines.tsx'
import { useServerSettings } from '#kit/page/server-settings.ts'
import { LANGUAGE_NAMES } from '#kit/page/shell/session/language-names.ts'
import type { locale } from './locale.ts'
import { type DictionaryItem, MAX_ITEMS, resource } from './model.ts'

type Props = { id?: string; value?: DictionaryItem[]; onChange?: (items: DictionaryItem[]) => void }

/** The entries of a type, in the order people will see them; Form.Item gives value and onChange. */
export function ItemsInput(given: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { columns, more } = useMemo(
    () => ({
      columns: [
        { name: 'label', title: say('field.label'), ...words(100) },
        { name: 'value', title: say('field.value'), ...words(100) },
        {
          name: 'colour',
          title: say('field.colour'),
          width: 48,
          cell: ({ value, change }) => (
            <ColorPicker
              allowClear
              value={value}
              onChange={colour => change(colour.cleared ? null : colour.toHexString().slice(0, 7))}
            />
          ),
        },
        {
          name: 'enabled',
          title: say('field.enabled'),
          width: 64,
          cell: ({ value, change, given: { 'aria-label': name } }) => (
            <Switch aria-label={name} size="small" checked={value} onChange={change} />
          ),
        },
      ] satisfies Column<DictionaryItem>[],
      more: {
        title: say('translate'),
        icon: <TranslationOutlined />,
        show: (item: DictionaryItem, set: (parts: Partial<DictionaryItem>) => void) => (
          <OtherWords item={item} onChange={labels => set({ labels })} />
        ),
      },
    }),
    [say],
  )
  const blank = (): DictionaryItem => ({ label: '', value: '', colour: null, enabled: true })
  return (
    <Lines {...given} columns={columns} more={more} isSorted grows={{ blank, max: MAX_ITEMS, add: say('add-item') }} />
  )
}

type WordsProps = { item: DictionaryItem; onChange(labels: DictionaryItem['labels']): void }

/** What the entry is called in the other languages; where nothing is entered, the label stands there too. */
function OtherWords({ item: { label, labels = {} }, onChange }: WordsProps) {
  const house = useServerSettings(({ settings }) => settings?.defaultLocale)
  const write = (language: Language, word: string) => {
    const { [language]: _, ...others } = labels
    onChange(word === '' ? others : { ...others, [language]: word })
  }
  return LANGUAGES.filter(language => language !== house).map(language => (
    <Input
      key={language}
      aria-label={LANGUAGE_NAMES[language]}
      prefix={<Typography.Text type="secondary">{LANGUAGE_NAMES[language]}</Typography.Text>}
      placeholder={label}
      maxLength={100}
      value={labels[language] ?? ''}
      onChange={event => write(language, event.target.value)}
    />
  ))
}
