import { Button, Space, Tooltip } from 'antd'
import { useState } from 'react'
import type { RowOf } from '#kit/model/resource.ts'
import type { BulkToolsProps } from '#kit/page/bulk/bulk-tools.ts'
import { downloadOf, post, save } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { useQuestion } from '#kit/page/question.ts'
import { StepMatter } from '#kit/page/step-matter.tsx'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { MAX_PRINTED, resource } from './model.ts'

/** What the desk does with several parcels: paper for them, or one parcel of them. */
export function DeskTools({ count, ids, isAll, rows, onDone }: BulkToolsProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const user = useUser()
  const notices = useNotices()
  const ask = useQuestion()
  const tab = useTab()
  const [printing, setPrinting] = useState<string>()
  const path = `/${resource.screen.name}`
  const isTooMany = count > MAX_PRINTED

  const print = async (paper: 'pick-list' | 'labels') => {
    setPrinting(paper)
    try {
      const answer = await downloadOf<{ taskId: string }>(`${path}/${paper}`, { ids: await ids(MAX_PRINTED) })
      if ('data' in answer) {
        const open = { label: kit('export-open'), run: () => tab.open('/account/settings/exports') }
        return notices.told(say('print-task'), [open])
      }
      save(answer.file, answer.name)
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
    const [oldest] = (rows as readonly RowOf<typeof resource>[]).toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)))
    const no = oldest?.shipmentNo ?? ''
    ask({
      title: say('step.merge'),
      content: (
        <>
          <StepMatter resource={resource} step="merge" amount={null} rows={rows} count={count} />
          <p>{say('merge-ask', { count, no })}</p>
          <p>{kit('stays', { why: say('stays.merge') })}</p>
        </>
      ),
      okText: `${say('step.merge')} ${count}`,
      cancelText: kit('cancel'),
      onOk: async () => {
        try {
          await post(`${path}/merge`, { ids: await ids(MAX_PRINTED) }, { idempotencyKey })
          notices.done(say('merge-done', { no }))
          onDone()
        } catch (error) {
          notices.failed(error, kit('submit-failed'))
          throw error
        }
      },
    })
  }

  return (
    <Space size={8}>
      {mayDo(user, resource.screen.key, 'print') &&
        (['pick-list', 'labels'] as const).map(paper => (
          <Tooltip key={paper} title={isTooMany && say('print-too-many', { max: MAX_PRINTED })}>
            <Button size="small" loading={printing === paper} disabled={isTooMany} onClick={() => print(paper)}>
              {say(paper)}
            </Button>
          </Tooltip>
        ))}
      {mayDo(user, resource.screen.key, 'merge') && (
        <Tooltip title={isAll && say('merge-choose')}>
          <Button size="small" disabled={isAll || count < 2} onClick={merge}>
            {say('step.merge')}
          </Button>
        </Tooltip>
      )}
    </Space>
  )
}
