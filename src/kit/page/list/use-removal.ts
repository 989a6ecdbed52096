import type { Resource } from '#kit/model/resource.ts'
import { remove } from '../call.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { useNotices } from '../notice.ts'
import { useQuestion } from '../question.ts'

/** Spec §4: a row is deleted in three states: nothing asked, the question shown, the call under way. */
export function useRemoval(resource: Resource, onDone: () => void): (ids: readonly string[]) => void {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const notices = useNotices()
  const ask = useQuestion()
  return ids => {
    const many = kit('delete-many', { count: ids.length, record: say('record' as never) })
    ask({
      title: ids.length === 1 ? kit('delete') : many,
      content: kit('delete-ask'),
      okText: ids.length === 1 ? kit('delete') : many,
      okButtonProps: { danger: true },
      cancelText: kit('cancel'),
      async onOk() {
        try {
          await remove(`/${resource.screen.name}/${ids.join(',')}`)
          notices.done(kit('deleted-ok'))
          onDone()
        } catch (error) {
          notices.failed(error, kit('delete-failed'))
        }
      },
    })
  }
}
