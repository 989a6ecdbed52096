import { Alert, Space } from 'antd'
import type { RowOf } from '#kit/model/resource.ts'
import { formatCount, formatFen } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

type MemberRow = RowOf<typeof resource>

/** What somebody who calls should know first. */
export function MemberHead({ row: { status, coins, risks } }: { row: MemberRow }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { openRefunds: count, openRefundFen } = risks
  const told = [
    ...(status === 'FROZEN' ? [say('frozen-told')] : []),
    ...(coins < 0 ? [say('coins-debt-told', { coins: formatCount(-coins) })] : []),
    ...(count > 0 ? [say('open-refunds', { count, amount: formatFen(openRefundFen) })] : []),
  ]
  if (told.length === 0) return null
  return (
    <Space orientation="vertical" style={{ width: '100%', marginBottom: 16 }}>
      {told.map(text => (
        <Alert key={text} type="warning" showIcon title={text} />
      ))}
    </Space>
  )
}
