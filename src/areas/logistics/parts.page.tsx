import { Tag } from 'antd'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import type { locale } from './locale.ts'
import type { NamedPart } from './parts.model.ts'

/** With the step that asks for it. */
export const PiecesInput = later(async () => (await import('./pieces-input.page.tsx')).PiecesInput)

/** Base products with their quantities, one tag each. */
export function PartList({ parts }: { parts: readonly NamedPart[] }) {
  const say = useTexts<typeof locale>('logistics')
  return (
    <div className="inkstone-lines">
      {parts.map(({ baseProductId, sku, name, quantity }) => (
        <Tag key={baseProductId} title={sku}>
          {say('pieces', { name, quantity })}
        </Tag>
      ))}
    </div>
  )
}
