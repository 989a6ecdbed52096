import { Space, Typography } from 'antd'
import { formatFen } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { StateTag } from '#kit/page/tone.tsx'
import type { Terms } from './arithmetic.model.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import type { L2Reason } from './second-approval.model.ts'

/** Whether finance decides too, and why. */
export function WhyFinance({ reasons }: { reasons: readonly L2Reason[] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const isAsked = reasons.some(({ why }) => why !== 'EARLIER')
  return (
    <Space wrap>
      {isAsked ? (
        <StateTag tone="attention">{say('l2-needed')}</StateTag>
      ) : (
        <Typography.Text type="secondary">{say('l2-not-needed')}</Typography.Text>
      )}
      {reasons
        .map(({ why, value }) => say(`l2.${why}`, { amount: formatFen(value), days: value, edition: value }))
        .join(say('list-mark'))}
    </Space>
  )
}

/** The settings of the day it was asked for, by which it is decided whatever is set later. */
export function AppliedTerms({ terms: { l2Fen, ...days } }: { terms: Terms }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return <span>{say('terms', { ...days, l2: formatFen(l2Fen) })}</span>
}
