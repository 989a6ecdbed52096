import { Drawer } from 'antd'
import { useTexts } from '../../language.ts'
import { useSettings } from '../../settings.ts'
import type { locale } from '../locale.ts'
import { Logo, NarrowedMenu } from './menu.tsx'

export function PhoneMenu({ shown, open, onClose }: { shown: string; open: boolean; onClose(): void }) {
  const say = useTexts<typeof locale>('kit/page/shell')
  const navTheme = useSettings(settings => settings.navTheme)
  return (
    <Drawer
      open={open}
      onClose={onClose}
      placement="left"
      size={260}
      closable={false}
      rootClassName={`ink-phone-menu ink-nav-${navTheme}`}
      aria-label={say('menu')}
    >
      <Logo />
      {/* Choosing a screen is the end of looking for one. */}
      <nav aria-label={say('menu')} onClickCapture={event => (event.target as Element).closest('a') && onClose()}>
        <NarrowedMenu shown={shown} />
      </nav>
    </Drawer>
  )
}
