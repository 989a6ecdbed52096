import { DiffOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import type { BulkToolsProps } from '#kit/page/bulk/bulk-tools.ts'
import { useTexts } from '#kit/page/language.ts'
import { useTab } from '#kit/page/tab.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

/** What is being compared stands in the address, where no filter is called so. */
export const COMPARING = 'with.compare'

/** Two that are chosen stand side by side. */
export function CompareTools({ count, ids }: BulkToolsProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const tab = useTab()
  const isTwo = count === 2
  return (
    <Tooltip title={isTwo ? undefined : say('compare-needs-two')}>
      <Button
        size="small"
        icon={<DiffOutlined aria-hidden />}
        disabled={!isTwo}
        onClick={async () => tab.change({ [COMPARING]: (await ids(2)).join() }, 'push')}
      >
        {say('compare-two')}
      </Button>
    </Tooltip>
  )
}
