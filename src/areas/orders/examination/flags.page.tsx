import { Space } from 'antd'
import { useTexts } from '#kit/page/language.ts'
import { StateTag } from '#kit/page/tone.tsx'
import type { locale } from './locale.ts'
import type { Flag } from './model.ts'

/** What should make an examiner look twice. */
export function Flags({ flags }: { flags: readonly string[] }) {
  const say = useTexts<typeof locale>('orders/examination')
  return (
    <Space size={4} wrap>
      {flags.map(flag => (
        <StateTag key={flag} tone={flag === 'PROOF_SEEN' || flag === 'ABOVE_LIST' ? 'failed' : 'attention'}>
          {say(`flag.${flag as Flag}`)}
        </StateTag>
      ))}
    </Space>
  )
}
