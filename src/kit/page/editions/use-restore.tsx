import { useQueryClient } from '@tanstack/react-query'
import { Input, Skeleton } from 'antd'
import type { Resource } from '#kit/model/resource.ts'
import { post } from '../call.ts'
import { deedOf, doOnce } from '../deed.ts'
import { Changes } from '../detail/changes.tsx'
import { useTexts } from '../language.ts'
import type { locale as kitLocale } from '../locale.ts'
import { useNotices } from '../notice.tsx'
import { useQuestion } from '../question.ts'
import type { locale } from './locale.ts'
import { useDifferences } from './use-editions.ts'

/** Asks before an older edition is published again, with what would change by it and why it is done. */
export function useRestore(resource: Resource, id: string, current: number) {
  const words = useTexts<typeof locale>('kit/page/editions')
  const kit = useTexts<typeof kitLocale>('kit/page')
  const say = useTexts(resource.screen.name)
  const ask = useQuestion()
  const notices = useNotices()
  const client = useQueryClient()
  return (edition: number) => {
    let reason = ''
    const deed = deedOf(`${resource.screen.name} restore ${edition}`, [id], [current])
    const button = () => ({ disabled: reason.trim() === '' })
    const take = async () => {
      try {
        const path = `/${resource.screen.name}/${id}/restore`
        await doOnce(deed, idempotencyKey => post(path, { edition, current, reason }, { idempotencyKey }))
        notices.done(words('restored', { edition }))
      } catch (error) {
        notices.failed(error, kit('submit-failed'))
        throw error
      } finally {
        // Refused or not: how the record stands now is worth a look.
        void client.invalidateQueries({ queryKey: [resource.screen.name] })
      }
    }
    const question = ask({
      title: words('restore-title', { edition }),
      width: 560,
      content: (
        <>
          <p>{say('ask.restore', { edition })}</p>
          <Effect resource={resource} id={id} current={current} edition={edition} />
          <Input.TextArea
            aria-label={kit('reason')}
            placeholder={kit('reason')}
            maxLength={200}
            autoSize={{ minRows: 2 }}
            onChange={event => {
              reason = event.target.value
              question.update(before => ({ ...before, okButtonProps: button() }))
            }}
          />
        </>
      ),
      okText: words('restore'),
      okButtonProps: button(),
      cancelText: kit('cancel'),
      onOk: take,
    })
  }
}

type EffectProps = { resource: Resource; id: string; current: number; edition: number }

function Effect({ resource, id, current, edition }: EffectProps) {
  const words = useTexts<typeof locale>('kit/page/editions')
  const changes = useDifferences(resource, id, current, edition)
  if (!changes) return <Skeleton active title={false} />
  return (
    <div className="inkstone-compared">
      <h2>{words('restore-differs', { edition: current })}</h2>
      {changes.length === 0 && <p className="inkstone-note">{words('same')}</p>}
      <Changes resource={resource} changes={changes} />
    </div>
  )
}
