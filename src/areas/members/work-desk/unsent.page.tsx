import { Alert, Button, Popconfirm, Space } from 'antd'
import type { Said } from '#areas/members/work/comment.model.ts'
import { dropDraft, readDraft } from '#kit/page/draft.ts'
import { useTexts } from '#kit/page/language.ts'
import { useUser } from '#kit/page/user.ts'
import { useDeskScreen } from './desk-screen.page.tsx'
import type { locale } from './locale.ts'
import { placeOf } from './use-judging.page.tsx'

type Props = { ids: readonly string[]; onTake(id: string): void; onDiscard(): void }

/** What somebody wrote of works that are no longer on the desk: who it was lost to, and when, was seen by nobody. */
export function Unsent({ ids, onTake, onDiscard }: Props) {
  const say = useTexts<typeof locale>('members/work-desk')
  const person = useUser(({ info }) => info?.id ?? '')
  const screen = useDeskScreen()
  return ids.map(id => {
    const place = placeOf(person, screen, id)
    const { words = '', marks = [] } = (readDraft(place)?.values ?? {}) as Partial<Said>
    return (
      <Alert
        key={id}
        className="work-unsent"
        type="warning"
        showIcon
        title={say('desk.unsent')}
        description={[words, marks.length > 0 && say('comment.marks', { count: marks.length })]
          .filter(Boolean)
          .join(' · ')}
        action={
          <TakeOrDiscard
            onTake={() => onTake(id)}
            onDiscard={() => {
              dropDraft(place)
              onDiscard()
            }}
          />
        }
      />
    )
  })
}

type Ways = { onTake(): void; onDiscard(): void }

/** Of the work in sight. */
export function RanOut(ways: Ways) {
  const say = useTexts<typeof locale>('members/work-desk')
  return <Alert type="warning" showIcon title={say('desk.lost')} action={<TakeOrDiscard {...ways} />} />
}

/** What can be done about words whose work was lost. */
function TakeOrDiscard({ onTake, onDiscard }: Ways) {
  const say = useTexts<typeof locale>('members/work-desk')
  return (
    <Space size={4}>
      <Button onClick={onTake}>{say('desk.take-again')}</Button>
      <Popconfirm title={say('desk.discard-ask')} okText={say('desk.discard')} onConfirm={onDiscard}>
        <Button type="text">{say('desk.discard')}</Button>
      </Popconfirm>
    </Space>
  )
}
