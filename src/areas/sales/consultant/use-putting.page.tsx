import { useMutation } from '@tanstack/react-query'
import { Input } from 'antd'
import { useRef } from 'react'
import type { RuleSet } from '#engines/allocation/rule.model.ts'
import { post } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import { useReload } from '#kit/page/list/list-state.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { useQuestion } from '#kit/page/question.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

const MAX_NOTE = 200

/** Asks what changed, and puts the rules in force. */
export function usePutting(edition: string | null, onPut: () => unknown) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const notices = useNotices()
  const ask = useQuestion()
  const reload = useReload(resource)
  const note = useRef('')
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (set: RuleSet) =>
      post(`/${resource.screen.name}/allocation`, { set, note: note.current.trim(), edition }),
    onSuccess: () => {
      notices.done(say('put-done'))
      reload()
      onPut()
    },
    onError: problem => notices.failed(problem, say('put-failed')),
  })
  const put = (set: RuleSet) => {
    note.current = ''
    ask({
      title: say('put-in-force'),
      okText: say('put-in-force'),
      content: (
        <>
          <p>{say('put-ask')}</p>
          <Input.TextArea
            aria-label={say('note')}
            placeholder={say('note')}
            maxLength={MAX_NOTE}
            autoSize={{ minRows: 2 }}
            onChange={event => {
              note.current = event.target.value
            }}
          />
        </>
      ),
      // What failed has been told; the question has nothing to add.
      onOk: () => mutateAsync(set).catch(() => undefined),
    })
  }
  return { put, isPending }
}
