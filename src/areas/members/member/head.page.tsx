import { Alert, Space } from 'antd'
import type { RowOf } from '#kit/model/resource.ts'
import { Instant } from '#kit/page/field/show.tsx'
import { formatCount, formatFen } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import { PauseNote } from './pause.page.tsx'

type MemberRow = RowOf<typeof resource>

/** What somebody who calls should know first. */
export function MemberHead({ row: { status, coins, risks, contact, pause } }: { row: MemberRow }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { openRefunds: count, openRefundFen, sameWechat } = risks
  const told = [
    ...(status === 'CLOSED' ? [say('closed-told')] : []),
    ...(status === 'FROZEN' ? [say('frozen-told')] : []),
    ...(coins < 0 ? [say('coins-debt-told', { coins: formatCount(-coins) })] : []),
    ...(count > 0 ? [say('open-refunds', { count, amount: formatFen(openRefundFen) })] : []),
    ...(sameWechat > 0 ? [say('same-wechat', { count: sameWechat })] : []),
  ]
  return (
    <Space orientation="vertical" style={{ width: '100%' }}>
      {told.map(text => (
        <Alert key={text} type="warning" showIcon title={text} />
      ))}
      <PauseNote pause={pause} />
      <Contact contact={contact} />
    </Space>
  )
}

/** Whether somebody keeps in touch: the last word, and what was agreed in it. */
function Contact({ contact: { lastAt, nextAt } }: Pick<MemberRow, 'contact'>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (lastAt === null) return <span className="inkstone-note">{say('contact.none')}</span>
  const isLate = nextAt !== null && Date.parse(nextAt) < Date.now()
  return (
    <Space size={[16, 0]} wrap>
      <span>
        <span className="inkstone-note">{say('contact.last')}</span> <Instant at={lastAt} />
      </span>
      {nextAt !== null && (
        <span className={isLate ? 'inkstone-danger' : undefined}>
          <span className={isLate ? undefined : 'inkstone-note'}>
            {isLate ? say('contact.late') : say('follow-up.next')}
          </span>{' '}
          <Instant at={nextAt} />
        </span>
      )}
    </Space>
  )
}
