import { Form, Typography } from 'antd'
import { AudienceInput } from '#engines/audience/audience-input.page.tsx'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type Reach, resource } from './model.ts'

type Props = { id?: string; value?: string; onChange?: (numbers: string) => void }

export function RecipientsInput(props: Props) {
  return (
    <AudienceInput<Reach>
      {...props}
      screen={resource.screen.name}
      counted={() => ({})}
      told={({ members }) => <ReachTold members={members} />}
    />
  )
}

/** How many it would be given to, and what all of them together may earn. */
function ReachTold({ members }: Pick<Reach, 'members'>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const coins: number = Form.useWatch('rewardCoins', Form.useFormInstance()) ?? 0
  return (
    <>
      <Typography.Text strong>{say('reach', { count: members })}</Typography.Text>
      {coins * members > 0 && <div className="inkstone-note">{say('reach-coins', { count: coins * members })}</div>}
      <div className="inkstone-note">{say('reach-once')}</div>
    </>
  )
}
