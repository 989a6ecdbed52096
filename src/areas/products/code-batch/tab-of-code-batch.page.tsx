import { DownloadOutlined } from '@ant-design/icons'
import { Button, Tooltip, Typography } from 'antd'
import { downloadOf, save } from '#kit/page/call.ts'
import { childTab } from '#kit/page/detail/child-list.tsx'
import { Instant, MISSING, ReferenceLabel } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useReload } from '#kit/page/list/list-state.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { useQuestion } from '#kit/page/question.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale as codesLocale } from './codes/locale.ts'
import { type Code, child } from './codes/model.ts'
import type { locale } from './locale.ts'
import { type CodeBatch, hasCodes, resource, whyNotExport } from './model.ts'

/** How often a batch that is being made is looked at. */
const MAKING_MS = 2_000

/** The codes of a batch, by their last four characters, and the file of all of them. */
export const tab = childTab(child, {
  order: 5,
  looks: (batch: CodeBatch) => ({
    againMs: isMaking(batch) && MAKING_MS,
    shows: {
      last4: ({ last4 }: Code) => <span className="inkstone-code">…{last4}</span>,
      member: ({ member }: Code) => (member ? <ReferenceLabel label={member} /> : MISSING),
      redeemedAt: ({ redeemedAt }: Code) => (redeemedAt ? <Instant at={redeemedAt} /> : MISSING),
    },
    tools: <CodeTools batch={batch} />,
  }),
})

const isMaking = (batch: CodeBatch): boolean => hasCodes(batch) && batch.made < batch.quantity

function CodeTools({ batch }: { batch: CodeBatch }) {
  const say = useTexts<typeof codesLocale>(child.resource.screen.name)
  const { made, quantity } = batch
  return (
    <>
      {isMaking(batch) && <Typography.Text type="secondary">{say('made-of', { made, quantity })}</Typography.Text>}
      <ExportCodes batch={batch} />
    </>
  )
}

/** The one file of plain codes; closed, with the reason, for everybody but the person it went to. */
function ExportCodes({ batch }: { batch: CodeBatch }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const user = useUser()
  const ask = useQuestion()
  const notices = useNotices()
  const reload = useReload(resource)
  if (!mayDo(user, resource.screen.key, 'exportCodes')) return null
  const refusal = whyNotExport(batch, { id: user.info?.id ?? '' })
  const run = async () => {
    try {
      const answer = await downloadOf(`/${resource.screen.name}/${batch.id}/export-codes`, {})
      if ('file' in answer) save(answer.file, answer.name)
    } catch (error) {
      notices.failed(error, kit('load-failed'))
      throw error
    } finally {
      reload()
    }
  }
  return (
    <Tooltip title={refusal && say(refusal.code as 'not-exported', refusal.params)}>
      <Button
        icon={<DownloadOutlined aria-hidden />}
        disabled={refusal !== undefined}
        onClick={() =>
          ask({
            title: say('step.exportCodes'),
            content: say('ask.exportCodes'),
            okText: say('step.exportCodes'),
            cancelText: kit('cancel'),
            onOk: run,
          })
        }
      >
        {say('step.exportCodes')}
      </Button>
    </Tooltip>
  )
}
