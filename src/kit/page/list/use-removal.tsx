import { lazy, Suspense } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { remove } from '../call.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { useNotices } from '../notice.tsx'
import { useQuestion } from '../question.ts'
import type { Row } from './list-state.ts'

// With the first question.
const StepMatter = lazy(async () => ({ default: (await import('../step-matter.tsx')).StepMatter }))

/** Spec §4: a row is deleted in three states: nothing asked, the question shown, the call under way. */
export function useRemoval(
  resource: Resource,
  onDone: () => void,
): (ids: readonly string[], rows: readonly Row[]) => void {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const notices = useNotices()
  const ask = useQuestion()
  return (ids, rows) => {
    const many = kit('delete-many', { count: ids.length, record: say('record') })
    ask({
      title: ids.length === 1 ? kit('delete') : many,
      content: (
        <>
          <Suspense>
            <StepMatter resource={resource} step="delete" amount={null} rows={rows} count={ids.length} />
          </Suspense>
          <p>{kit('delete-ask')}</p>
        </>
      ),
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
