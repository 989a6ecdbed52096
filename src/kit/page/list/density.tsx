import { ColumnHeightOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
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
      <Button aria-label={kit('density')} title={kit('density')} icon={<ColumnHeightOutlined />} />
    </Dropdown>
  )
}
