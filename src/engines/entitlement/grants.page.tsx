import { Tag } from 'antd'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import type { Grant } from './model.ts'

/** What a product gives, one tag each. */
export function GrantList({ grants }: { grants: readonly Grant[] }) {
  const say = useTexts<typeof locale>('engines/entitlement')
  const texts = grants.map(({ kind, name, quantity }) =>
    kind === 'COURSE' ? name : `${kind === 'GOODS' ? name : say(`kind.${kind}`)} × ${quantity}`,
  )
  return (
    <div className="inkstone-lines" title={texts.join(' · ')}>
      {grants.map(({ kind, name }, index) => (
        <Tag key={`${kind}-${name}`} style={{ marginInlineEnd: 4 }}>
          {texts[index]}
        </Tag>
      ))}
    </div>
  )
}
