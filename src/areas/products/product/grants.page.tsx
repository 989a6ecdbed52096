import { Space, Tag } from 'antd'
import type { locale } from '#engines/entitlement/locale.ts'
import type { Grant } from '#engines/entitlement/model.ts'
import { useTexts } from '#kit/page/language.ts'

/** What a product gives, one tag each. */
export function GrantList({ grants }: { grants: readonly Grant[] }) {
  const say = useTexts<typeof locale>('engines/entitlement')
  return (
    <Space wrap size={4}>
      {grants.map(({ kind, name, quantity }) => (
        <Tag key={`${kind}-${name}`} title={say(`kind.${kind}`)}>
          {kind === 'COURSE' ? name : `${kind === 'GOODS' ? name : say(`kind.${kind}`)} × ${quantity}`}
        </Tag>
      ))}
    </Space>
  )
}
