import { CheckCircleFilled, ClockCircleOutlined, CloseCircleFilled } from '@ant-design/icons'
import { Space, Typography } from 'antd'
import { formatFen } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { StateTag } from '#kit/page/tone.tsx'
import type { RefundEffect } from './effects.model.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

const ICONS = {
  DONE: <CheckCircleFilled aria-hidden />,
  WAITING: <ClockCircleOutlined aria-hidden />,
  FAILED: <CloseCircleFilled aria-hidden />,
}
const TONES = { DONE: 'done', WAITING: 'busy', FAILED: 'failed' } as const

/** What follows from a paid refund, each step with its tick or its error. */
export function Checklist({ effects }: { effects: readonly RefundEffect[] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <Space orientation="vertical" size={4}>
      {effects.map(({ name, status, outcome, error }) => (
        <Space key={name} wrap>
          {ICONS[status]}
          <StateTag tone={TONES[status]}>{say(`effectStatus.${status}`)}</StateTag>
          {say(`effect.${name}`)}
          <Outcome outcome={outcome} />
          {error && <Typography.Text type="danger">{error}</Typography.Text>}
        </Space>
      ))}
    </Space>
  )
}

const TOLD = ['units', 'debt', 'coupons', 'cancelled', 'out', 'fen'] as const

/** What a step did, in words; what came to nothing goes without saying. */
function Outcome({ outcome }: Pick<RefundEffect, 'outcome'>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const said = TOLD.flatMap(key => {
    const n = outcome[key] ?? 0
    return n > 0 ? [say(`outcome.${key}`, { n, amount: formatFen(n) })] : []
  })
  return <Typography.Text type="secondary">{said.join(say('list-mark'))}</Typography.Text>
}
