import { QrcodeOutlined } from '@ant-design/icons'
import { Button, Popover } from 'antd'
import { LinkCode } from '#engines/copybook/code.page.tsx'
import { MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import type { Scene } from './scenes/model.ts'

/** The code of a scene, to be looked at, copied or taken along. */
export function SceneCode({ scene: { squares, link, name } }: { scene: Scene }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (link === null) return MISSING
  return (
    <Popover
      trigger="click"
      content={
        <div style={{ maxWidth: 360 }}>
          <LinkCode squares={squares} link={link} name={name} />
        </div>
      }
    >
      <Button size="small" icon={<QrcodeOutlined aria-hidden />} aria-label={say('code-of', { name })} />
    </Popover>
  )
}
