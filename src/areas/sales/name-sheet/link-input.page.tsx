import { Button, Flex, Input, Space } from 'antd'
import type { UsualLink } from './use-usual-link.page.tsx'

type Props = {
  readonly offered: UsualLink['offered']
  readonly id?: string
  readonly value?: string
  readonly onChange?: (link: string) => void
}

/** A link to type, or with one press that of a chat account the consultant works with. */
export function LinkInput({ offered, value, onChange, ...given }: Props) {
  return (
    <Flex vertical gap={4} className="name-sheet-link">
      <Input {...given} value={value} maxLength={200} onChange={({ target }) => onChange?.(target.value)} />
      {offered.length > 0 && (
        <Space size={4} wrap>
          {offered.map(({ name, link }) => (
            <Button
              key={link}
              size="small"
              aria-pressed={link === value}
              // Chosen, and not forbidden.
              type={link === value ? 'primary' : 'default'}
              ghost={link === value}
              onClick={() => onChange?.(link)}
            >
              {name}
            </Button>
          ))}
        </Space>
      )}
    </Flex>
  )
}
