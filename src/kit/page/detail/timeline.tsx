import { Timeline as AntTimeline, Button, Skeleton } from 'antd'
import { useState } from 'react'
import { differences } from '#kit/model/difference.ts'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import { Instant } from '../field/show.tsx'
import { hasText, useTexts } from '../language.ts'
import { LoadFailed } from '../load-failed.tsx'
import type { locale } from '../locale.ts'
import { Changes } from './changes.tsx'
import { isInternal } from './fields.ts'
import type { locale as detailLocale } from './locale.ts'
import { UndoButton } from './undo-button.tsx'
import { type Entry, takenBack, useHappened } from './use-happened.ts'

/** Seen at once; who asks further back asks for it. */
const FIRST = 8

/** What happened to a record: who, when, what, and what changed. */
export function Timeline({ resource, id }: { resource: Resource; id: string }) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const own = useTexts<typeof detailLocale>('kit/page/detail')
  const { data, error, refetch } = useHappened(resource, id)
  const [isWhole, setWhole] = useState<string>()
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  if (data.length === 0) return <p className="inkstone-note">{kit('timeline-empty')}</p>
  const undone = takenBack(data)
  const actionOf = (line: string) => data.find(entry => entry.id === line)?.action
  const named = (action: string) =>
    hasText(resource.screen.name, `step.${action}`)
      ? say(`step.${action}`)
      : hasText('kit/page', `action.${action}`)
        ? kit(`action.${action}` as 'action.create')
        : action
  const changes = (diff: Entry['diff']) => {
    const told = Object.keys(diff).filter(
      field =>
        field in resource.record.shape &&
        !isInternal(resource, field) &&
        // What only the detail knows is told where the slice has words for it.
        (metaOf(resource, field).kind !== 'detail' || diff[field]?.some(side => typeof side === 'string')),
    )
    const side = (at: 0 | 1) => Object.fromEntries(told.map(field => [field, diff[field]?.[at] ?? null]))
    return differences(resource, told, side(0), side(1))
  }
  const seen = isWhole === id ? data : data.slice(0, FIRST)
  return (
    <>
      <AntTimeline
        items={seen.map(({ id: key, at, actor, action, diff, reason, undoes, mayUndo }) => ({
          key,
          content: (
            <>
              <strong>
                {undoes !== null ? (
                  kit('undone', { what: named(actionOf(undoes) ?? action) })
                ) : undone.has(key) ? (
                  <s>{named(action)}</s>
                ) : (
                  named(action)
                )}
              </strong>{' '}
              · {actor || kit('nobody')} · <Instant at={at} />
              {mayUndo && <UndoButton resource={resource} id={id} step={action} />}
              {reason && (
                <div>
                  {kit('reason')}: {reason}
                </div>
              )}
              <Changes resource={resource} changes={changes(diff)} isNamed />
            </>
          ),
        }))}
      />
      {seen.length < data.length && (
        <Button type="link" size="small" onClick={() => setWhole(id)}>
          {own('earlier', { count: data.length - seen.length })}
        </Button>
      )}
    </>
  )
}
