import { Button, Space } from 'antd'
import { useState } from 'react'
import { downloadOf, post, save } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { useQuestion } from '#kit/page/question.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

type Props = { ids: readonly string[]; onDone(): void }

/** What the desk does with several parcels: paper for them, or one parcel of them. */
export function DeskTools({ ids, onDone }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const user = useUser()
  const notices = useNotices()
  const ask = useQuestion()
  const [printing, setPrinting] = useState<string>()
  const path = `/${resource.screen.name}`

  const print = async (paper: 'pick-list' | 'labels') => {
    setPrinting(paper)
    try {
      const answer = await downloadOf(`${path}/${paper}`, { ids })
      if ('file' in answer) save(answer.file, answer.name)
      // A label has been printed: the rows tell since when.
      if (paper === 'labels') onDone()
    } catch (error) {
      notices.failed(error, kit('submit-failed'))
    } finally {
      setPrinting(undefined)
    }
  }

  const merge = () => {
    const idempotencyKey = crypto.randomUUID()
    ask({
      title: say('step.merge'),
      content: say('merge-ask', { count: ids.length }),
      okText: say('step.merge'),
      cancelText: kit('cancel'),
      onOk: () =>
        post(`${path}/merge`, { ids }, { idempotencyKey }).then(
          () => {
            notices.done(say('merge-done'))
            onDone()
          },
          error => {
            notices.failed(error, kit('submit-failed'))
            throw error
          },
        ),
    })
  }

  return (
    <Space size={8}>
      {mayDo(user, resource.screen.key, 'print') &&
        (['pick-list', 'labels'] as const).map(paper => (
          <Button key={paper} size="small" loading={printing === paper} onClick={() => print(paper)}>
            {say(paper)}
          </Button>
        ))}
      {mayDo(user, resource.screen.key, 'merge') && (
        <Button size="small" disabled={ids.length < 2} onClick={merge}>
          {say('step.merge')}
        </Button>
      )}
    </Space>
  )
}
