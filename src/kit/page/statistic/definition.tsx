import { InfoCircleOutlined } from '@ant-design/icons'
import { Tooltip } from 'antd'
import { useTexts } from '../language.ts'
import type { locale } from './locale.ts'
import type { Shown } from './use-statistic.ts'

/** What a measure means: its formula with the denominator, and which records the basis counts. By hover and by focus. */
export function Definition({ shown, measure }: { shown: Shown; measure: string }) {
  const kit = useTexts<typeof locale>('kit/page/statistic')
  const say = useTexts(shown.statistic.screen.name)
  const { basis } = shown.asked
  const text = (
    <>
      <p>{say(`about.${measure}`)}</p>
      <p>
        {say(`base.${basis}`)}: {say(`about-base.${basis}`)}
      </p>
    </>
  )
  return (
    <Tooltip title={text} trigger={['hover', 'focus']} classNames={{ root: 'ink-definition' }}>
      <button type="button" className="ink-info" aria-label={kit('definition', { name: say(`measure.${measure}`) })}>
        <InfoCircleOutlined aria-hidden />
      </button>
    </Tooltip>
  )
}
