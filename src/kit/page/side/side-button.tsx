import { Button, Tooltip } from 'antd'
import { useTexts } from '../language.ts'
import { useAsked, useHeld } from '../list/list-context.ts'
import { Sign } from '../sign.tsx'
import type { locale } from './locale.ts'

/** Opens and closes what stands at the side; marked while rows are told by it, open or not. */
export function SideButton() {
  const say = useTexts<typeof locale>('kit/page/side')
  const { side } = useHeld()
  const isSet = useAsked().filters.department !== undefined
  return (
    <Tooltip title={say('departments')}>
      <Button
        className="inkstone-side-button"
        icon={<Sign name="departments" />}
        aria-label={say('departments')}
        aria-expanded={side.isOpen}
        color={isSet ? 'primary' : 'default'}
        variant="outlined"
        onClick={() => side.setOpen(!side.isOpen)}
      />
    </Tooltip>
  )
}
