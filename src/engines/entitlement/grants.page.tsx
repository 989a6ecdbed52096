import { Tag } from 'antd'
import { formatShare } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import type { Grant } from './model.ts'

/** What a product gives, one tag each; outside a list with how long it may be used and its part of the price. */
export function GrantList({ grants }: { grants: readonly Grant[] }) {
  const say = useTexts<typeof locale>('engines/entitlement')
  const told = grants.map(({ kind, name, quantity, validDays, sharePermille }) => ({
    text: kind === 'COURSE' ? name : `${kind === 'GOODS' ? name : say(`kind.${kind}`)} × ${quantity}`,
    terms: [
      ...(validDays === null ? [] : [say('valid-for', { days: validDays })]),
      ...(grants.length > 1 ? [say('share-of', { share: formatShare(sharePermille) })] : []),
    ].join(' · '),
  }))
  return (
    <div className="inkstone-lines" title={told.map(({ text }) => text).join(' · ')}>
      {told.map(({ text, terms }) => (
        <span key={text}>
          <Tag style={{ marginInlineEnd: 4 }}>{text}</Tag>
          <span className="inkstone-note inkstone-terms">{terms}</span>
        </span>
      ))}
    </div>
  )
}
