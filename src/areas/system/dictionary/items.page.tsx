import {
  ArrowDownOutlined,
  ArrowUpOutlined,
  DeleteOutlined,
  EyeInvisibleOutlined,
  EyeOutlined,
  TranslationOutlined,
} from '@ant-design/icons'
import { Button, ColorPicker, Flex, Input, Space, Typography } from 'antd'
import { useState } from 'react'
import { LANGUAGES, type Language } from '#kit/model/language.ts'
import { useLineErrors } from '#kit/page/form/line-errors.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useServerSettings } from '#kit/page/server-settings.ts'
import { LANGUAGE_NAMES } from '#kit/page/shell/session/language-names.ts'
import type { locale } from './locale.ts'
import { type DictionaryItem, MAX_ITEMS, resource } from './model.ts'

const NEW: DictionaryItem = { label: '', value: '', colour: null, enabled: true }
type Props = { value?: DictionaryItem[]; onChange?: (items: DictionaryItem[]) => void }

/** The entries of a type, in the order people will see them; Form.Item gives value and onChange. */
export function ItemsInput({ value: items = [], onChange }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const line = (item: DictionaryItem, at: number) => (
    <ItemLine key={at} items={items} item={item} at={at} onChange={changed => onChange?.(changed)} />
  )
  return (
    <Space orientation="vertical" style={{ width: '100%' }}>
      {items.map(line)}
      <Button block type="dashed" disabled={items.length >= MAX_ITEMS} onClick={() => onChange?.([...items, NEW])}>
        {say('add-item')}
      </Button>
    </Space>
  )
}

type LineProps = { items: DictionaryItem[]; item: DictionaryItem; at: number; onChange(items: DictionaryItem[]): void }

function ItemLine({ items, item, at, onChange }: LineProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const [translating, setTranslating] = useState(false)
  const wrong = useLineErrors()
  const set = (part: Partial<DictionaryItem>) => onChange(items.with(at, { ...item, ...part }))
  const swap = (to: number) => onChange(items.with(at, items[to] ?? item).with(to, item))
  const text = (field: 'label' | 'value') => {
    const name = say(`field.${field}`)
    const write = (typed: string) => set({ [field]: typed })
    return (
      <Input
        aria-label={name}
        placeholder={name}
        value={item[field]}
        onChange={e => write(e.target.value)}
        {...wrong(`${at}.${field}`)}
      />
    )
  }
  const eye = item.enabled ? <EyeOutlined /> : <EyeInvisibleOutlined />
  const tools = [
    { name: say('translate'), icon: <TranslationOutlined />, off: false, run: () => setTranslating(!translating) },
    { name: say('field.enabled'), icon: eye, off: false, run: () => set({ enabled: !item.enabled }) },
    { name: kit('move-up'), icon: <ArrowUpOutlined />, off: at === 0, run: () => swap(at - 1) },
    { name: kit('move-down'), icon: <ArrowDownOutlined />, off: at === items.length - 1, run: () => swap(at + 1) },
    { name: kit('delete'), icon: <DeleteOutlined />, off: false, run: () => onChange(items.toSpliced(at, 1)) },
  ]
  const paint = (hex: string) => set({ colour: hex === '' ? null : hex.slice(0, 7) })
  return (
    <Flex vertical gap={4}>
      <Flex wrap gap={4}>
        <Space.Compact style={{ flex: '1 1 280px' }}>
          {text('label')}
          {text('value')}
          <ColorPicker allowClear value={item.colour} onChange={c => paint(c.cleared ? '' : c.toHexString())} />
        </Space.Compact>
        <Space.Compact>
          {tools.map(({ name, icon, off, run }) => (
            <Button key={name} aria-label={name} title={name} icon={icon} disabled={off} onClick={run} />
          ))}
        </Space.Compact>
      </Flex>
      {translating && <OtherWords item={item} onChange={labels => set({ labels })} />}
    </Flex>
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
