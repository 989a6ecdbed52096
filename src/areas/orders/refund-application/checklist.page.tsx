import { CheckCircleFilled, ClockCircleOutlined, CloseCircleFilled } from '@ant-design/icons'
import { Space, Typography } from 'antd'
import { useTexts } from '#kit/page/language.ts'
import { StateTag } from '#kit/page/tone.tsx'
import type { locale } from './locale.ts'
import { type RefundEffect, resource } from './model.ts'

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
      {effects.map(({ name, status, error }) => (
        <Space key={name}>
          {ICONS[status]}
          <StateTag tone={TONES[status]}>{say(`effectStatus.${status}`)}</StateTag>
          {say(`effect.${name}`)}
          {error && <Typography.Text type="danger">{error}</Typography.Text>}
        </Space>
      ))}
    </Space>
  )
}
