import { Alert } from 'antd'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type MenuPermission, resource } from './model.ts'

/** What sets it apart, and what that means. */
export function About({ row: { kind, hidden } }: { row: MenuPermission }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (kind === 'VANISHED') return <Alert type="warning" showIcon title={say('about.VANISHED')} />
  return hidden && <Alert type="info" showIcon title={say('about.HIDDEN')} />
}
