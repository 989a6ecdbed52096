import { useQuery } from '@tanstack/react-query'
import { Timeline as AntTimeline, Button, Empty, Skeleton, Space } from 'antd'
import { useRef, useState } from 'react'
import type { Resource, RowOf } from '#kit/model/resource.ts'
import { CallFailed, get, put } from '#kit/page/call.ts'
import { Pictures } from '#kit/page/field/files.tsx'
import { Instant, Show } from '#kit/page/field/show.tsx'
import { FormModal } from '#kit/page/form/form-modal.tsx'
import { withInput } from '#kit/page/form/inputs.ts'
import { StepFields, type StepForm } from '#kit/page/form/step-fields.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useReload } from '#kit/page/list/list-state.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import { INPUTS } from './inputs.page.tsx'
import type { locale } from './locale.ts'
import { resource, workflow } from './model.ts'
import type { FollowUpView } from './side.model.ts'

const { input } = workflow.steps.noteFollowUp
const asked = withInput(resource, input)

/** A note in the shape of the step that made it, so that the same fields show and take it. */
const asRow = ({ id, kind, content, nextAt }: FollowUpView) =>
  ({ id, followUpKind: kind, content, nextAt, labels: {}, steps: {} }) as RowOf<Resource> & { id: string }

/** What was said with the member, newest first; one's own notes can be corrected. */
export function FollowUps({ row: { id } }: { row: { id: string } }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const me = useUser(user => (mayDo(user, resource.screen.key, 'noteFollowUp') ? user.info?.id : undefined))
  const [edited, edit] = useState<FollowUpView>()
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'follow-up', id],
    queryFn: ({ signal }) => get<FollowUpView[]>(`/${resource.screen.name}/${id}/follow-up`, { signal }),
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  if (data.length === 0) return <Empty description={say('follow-up.empty')} />
  return (
    <>
      <AntTimeline
        items={data.map(note => ({
          key: note.id,
          content: (
            <>
              <Space size={8}>
                <strong>
                  <Show resource={asked} field="followUpKind" row={asRow(note)} />
                </strong>
                {note.staff}
                <Instant at={note.at} />
                {note.staffId === me && (
                  <Button type="link" size="small" onClick={() => edit(note)}>
                    {say('follow-up.edit')}
                  </Button>
                )}
              </Space>
              <div style={{ whiteSpace: 'pre-wrap' }}>{note.content}</div>
              {note.picture.length > 0 && <Pictures ids={note.picture} />}
              {note.nextAt && (
                <div className="inkstone-note">
                  {say('follow-up.next')} <Instant at={note.nextAt} />
                </div>
              )}
            </>
          ),
        }))}
      />
      {edited && <Correction memberId={id} note={edited} onClose={() => edit(undefined)} />}
    </>
  )
}

function Correction({ memberId, note, onClose }: { memberId: string; note: FollowUpView; onClose(): void }) {
  const kit = useTexts<typeof kitLocale>('kit/page')
  const say = useTexts<typeof locale>(resource.screen.name)
  const notices = useNotices()
  const reload = useReload(resource)
  const form = useRef<StepForm>(null)
  const [sending, setSending] = useState(false)
  const save = async () => {
    const values = await form.current?.read().catch(() => undefined)
    if (!values) return
    setSending(true)
    try {
      await put(`/${resource.screen.name}/${memberId}/follow-up/${note.id}`, values)
      notices.done(kit('edited-ok'))
      reload()
      onClose()
    } catch (error) {
      setSending(false)
      if (error instanceof CallFailed) form.current?.showErrors(error.fields)
      notices.failed(error, kit('edit-failed'))
    }
  }
  return (
    <FormModal
      title={say('step.editFollowUp')}
      onClose={onClose}
      onOk={save}
      okText={kit('save')}
      confirmLoading={sending}
    >
      <StepFields
        resource={resource}
        input={input}
        inputs={INPUTS}
        isShown={() => true}
        row={asRow(note)}
        form={form}
      />
    </FormModal>
  )
}
