import { ColumnHeightOutlined } from '@ant-design/icons'
import { Button, Dropdown, Tooltip } from 'antd'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { changeSettings, useSettings } from '../settings.ts'

const DENSITIES = ['small', 'middle', 'large'] as const

export function DensityButton() {
  const kit = useTexts<typeof locale>('kit/page')
  const density = useSettings(settings => settings.density)
  const items = DENSITIES.map(key => ({
    key,
    label: kit(`density-${key}`),
    onClick: () => changeSettings({ density: key }),
  }))
  return (
    <Dropdown menu={{ items, selectedKeys: [density] }} trigger={['click']}>
      <Tooltip title={kit('density')}>
        <Button aria-label={kit('density')} icon={<ColumnHeightOutlined />} />
      </Tooltip>
    </Dropdown>
  )
}
