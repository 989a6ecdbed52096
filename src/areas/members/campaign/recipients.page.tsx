import { Typography } from 'antd'
import { AudienceInput, type Entered } from '#engines/audience/audience-input.page.tsx'
import { formatFen } from '#kit/model/money.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type Reach, resource } from './model.ts'

type Props = { id?: string; value?: string; onChange?: (numbers: string) => void }

export function RecipientsInput(props: Props) {
  return (
    <AudienceInput<Reach>
      {...props}
      screen={resource.screen.name}
      counted={wordsOf}
      told={reach => <ReachTold reach={reach} />}
    />
  )
}

/** How long the words are is part of what it costs. */
const wordsOf = ({ templateId, filled = [] }: Entered) =>
  templateId === undefined ? undefined : { templateId, filled }

function ReachTold({ reach }: { reach: Reach }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const left = (['noConsent', 'listNotAgreed', 'optedOut', 'lately'] as const).filter(why => reach[why] > 0)
  return (
    <>
      <Typography.Text strong>{say('reach', { count: reach.toSend, cost: formatFen(reach.costFen) })}</Typography.Text>
      {left.map(why => (
        <div key={why} className="inkstone-note">
          {say(`left.${why}`, { count: reach[why] })}
        </div>
      ))}
      {reach.needsApproval && <div className="inkstone-note">{say('reach-needs-approval')}</div>}
    </>
  )
}
