import { DownOutlined, UpOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'

export type NeighboursProps = {
  /** Steps to the neighbouring record of the list; absent at its ends. */
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

export function Neighbours({ onPrevious, onNext }: NeighboursProps) {
  const kit = useTexts<typeof locale>('kit/page')
  return (
    <>
      <Tooltip title={kit('previous')}>
        <Button
          type="text"
          aria-label={kit('previous')}
          icon={<UpOutlined />}
          disabled={!onPrevious}
          onClick={onPrevious}
        />
      </Tooltip>
      <Tooltip title={kit('next')}>
        <Button type="text" aria-label={kit('next')} icon={<DownOutlined />} disabled={!onNext} onClick={onNext} />
      </Tooltip>
    </>
  )
}
