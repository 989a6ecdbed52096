import { formatInstant } from '#kit/model/time.ts'
import { Pictures } from '#kit/page/field/files.tsx'
import { useTexts } from '#kit/page/language.ts'
import { recordPath } from '#kit/page/screens.ts'
import type { locale } from './locale.ts'
import { resource, type Task } from './model.ts'

/** The task that was proved with the same picture, beside it to compare by; nothing to see for whoever may not see that one. */
export function Like({ like }: { like: NonNullable<Task['like']> }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { id, title, submittedAt, status, isSameMember, picture } = like
  return (
    <>
      <p>
        <a href={`#${recordPath(resource.screen.route, id)}`}>{title}</a>
        {submittedAt !== null && ` · ${formatInstant(new Date(submittedAt)).slice(0, 16)}`}
        {` · ${say(`status.${status}`)} · `}
        {say(isSameMember ? 'like.own' : 'like.others')}
      </p>
      <Pictures ids={picture} large />
    </>
  )
}
