import { useMutation, useQueryClient } from '@tanstack/react-query'
import { post } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { area } from '../area.ts'
import type { locale } from './locale.ts'
import type { NewLine } from './model.ts'

const { name } = area.screens['sale-line']

/** Puts the line of a channel in force; what was seen before is read again, whoever was first. */
export function usePutting(onClose: () => void) {
  const say = useTexts<typeof locale>(name)
  const notices = useNotices()
  const client = useQueryClient()
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: (line: NewLine) => post(`/${name}`, line),
    onSuccess: () => {
      notices.done(say('done'))
      onClose()
    },
    onError: problem => notices.failed(problem, say('failed')),
    onSettled: () => client.invalidateQueries({ queryKey: [name] }),
  })
  return { put: mutate, isPending, isDone: isSuccess }
}
