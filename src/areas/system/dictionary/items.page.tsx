import {
  ArrowDownOutlined,
  ArrowUpOutlined,
  DeleteOutlined,
  EyeInvisibleOutlined,
  EyeOutlined,
} from '@ant-design/icons'
import { Button, ColorPicker, Input, Space } from 'antd'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
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
  const set = (part: Partial<DictionaryItem>) => onChange(items.with(at, { ...item, ...part }))
  const swap = (to: number) => onChange(items.with(at, items[to] ?? item).with(to, item))
  const text = (field: 'label' | 'value') => {
    const name = say(`field.${field}`)
    const write = (typed: string) => set({ [field]: typed })
    return <Input aria-label={name} placeholder={name} value={item[field]} onChange={e => write(e.target.value)} />
  }
  const eye = item.enabled ? <EyeOutlined /> : <EyeInvisibleOutlined />
  const tools = [
    { name: say('field.enabled'), icon: eye, off: false, run: () => set({ enabled: !item.enabled }) },
    { name: kit('move-up'), icon: <ArrowUpOutlined />, off: at === 0, run: () => swap(at - 1) },
    { name: kit('move-down'), icon: <ArrowDownOutlined />, off: at === items.length - 1, run: () => swap(at + 1) },
    { name: kit('delete'), icon: <DeleteOutlined />, off: false, run: () => onChange(items.toSpliced(at, 1)) },
  ]
  const paint = (hex: string) => set({ colour: hex === '' ? null : hex.slice(0, 7) })
  return (
    <Space.Compact block>
      {text('label')}
      {text('value')}
      <ColorPicker allowClear value={item.colour} onChange={c => paint(c.cleared ? '' : c.toHexString())} />
      {tools.map(({ name, icon, off, run }) => (
        <Button key={name} aria-label={name} title={name} icon={icon} disabled={off} onClick={run} />
      ))}
    </Space.Compact>
  )
}
