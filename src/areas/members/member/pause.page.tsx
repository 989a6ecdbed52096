import { Alert } from 'antd'
import { dayOf } from '#kit/model/time.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type Member, resource } from './model.ts'

/** That the membership stands still, or soon will, and until when. */
export function PauseNote({ pause }: Pick<Member, 'pause'>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (!pause) return null
  const told = pause.from <= dayOf(new Date()) ? 'paused-told' : 'pause-coming-told'
  return <Alert type="info" showIcon title={say(told, { ...pause })} />
}
