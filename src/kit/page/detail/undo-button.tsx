import { UndoOutlined } from '@ant-design/icons'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import type { Resource } from '#kit/model/resource.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { useNotices } from '../notice.tsx'
import { takeBack } from '../take-back.ts'

/** Takes back a line of the timeline, as long as the server says it can be. */
export function UndoButton({ resource, id, step }: { resource: Resource; id: string; step: string }) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const notices = useNotices()
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => takeBack(resource, step, id),
    onSuccess: () => notices.done(kit('undone', { what: say(`step.${step}`) })),
    onError: error => notices.failed(error, kit('submit-failed')),
    // Refused or not: how the record stands now is worth a look.
    onSettled: () => client.invalidateQueries({ queryKey: [resource.screen.name] }),
  })
  return (
    <Button size="small" type="link" icon={<UndoOutlined aria-hidden />} loading={isPending} onClick={() => mutate()}>
      {kit('undo')}
    </Button>
  )
}
