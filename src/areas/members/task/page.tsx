import { Progress } from 'antd'
import { isPartShown } from '#engines/audience/model.ts'
import { MISSING } from '#kit/page/field/show.tsx'
import { wide } from '#kit/page/form/inputs.ts'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import type { locale } from './locale.ts'
import { resource, type Task, workflow } from './model.ts'

const Like = later(async () => (await import('./like.page.tsx')).Like)
const RecipientsInput = later(async () => (await import('./recipients.page.tsx')).RecipientsInput)

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={{ numbers: wide(() => <RecipientsInput />) }}
      isShown={(field, { audienceBy }) => isPartShown(field, audienceBy)}
      links={task => [{ text: say('all-of-it'), path: sameTask(task) }]}
      shows={{
        progress: ({ progress, target }: Task) => (
          <Progress
            percent={Math.round((100 * progress) / target)}
            size="small"
            format={() => `${progress}/${target}`}
            aria-label={`${say('field.progress')} ${progress}/${target}`}
            style={{ minWidth: 110, margin: 0 }}
          />
        ),
        likeness: ({ likeness }: Task) => (likeness === 'NONE' ? MISSING : null),
        like: ({ like }: Task) => like && <Like like={like} />,
        together: ({ together: { members, awaiting } }: Task) =>
          awaiting === 0
            ? say('together', { count: members })
            : `${say('together', { count: members })} · ${say('awaiting', { count: awaiting })}`,
      }}
    />
  )
}

/** The task of all its members: a name and a day are one task. */
function sameTask({ title, dueOn }: Task): string {
  const asked = new URLSearchParams({ title, dueOnBegin: dueOn, dueOnEnd: dueOn })
  return `${resource.screen.route}?${asked}`
}
