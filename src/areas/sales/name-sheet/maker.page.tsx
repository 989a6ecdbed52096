import { Card, Form } from 'antd'
import { useRef } from 'react'
import { CallFailed, post } from '#kit/page/call.ts'
import { doOnce } from '#kit/page/deed.ts'
import { asBody, FormFields } from '#kit/page/form/fields.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useReload } from '#kit/page/list/list-state.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import { askedOf, hasLink, type SheetResource, USUAL, type Variant } from './fields.model.ts'
import { LinkInput } from './link-input.page.tsx'
import type { locale } from './locale.ts'
import { Preview } from './preview.page.tsx'
import { TakeButtons } from './taking.page.tsx'
import { usePreview } from './use-preview.page.tsx'
import { useTaking } from './use-taking.page.tsx'
import { useUsualLink } from './use-usual-link.page.tsx'
import { VerseInput } from './verse-input.page.tsx'
import './sheet.css'

type Props = { readonly resource: SheetResource; readonly variant: Variant }
type Values = Readonly<Record<string, unknown>>

/** Optional in the log, where people are forgotten; nothing is made without them. */
const NEEDED = ['name', 'verse', 'link']
const isShown = (field: string) => (NEEDED.includes(field) ? 'required' : true)

/** The form at the left, the sheet at the right as it will be printed. */
export function Maker({ resource, variant }: Props) {
  const say = useTexts<typeof locale>('sales/name-sheet')
  const notices = useNotices()
  const reload = useReload(resource)
  const mayTake = useUser(user => mayDo(user, resource.screen.key, 'print'))
  const [form] = Form.useForm<Values>()
  const fields = askedOf(variant)
  const path = `/${resource.screen.name}`
  const offered = useUsualLink(form, hasLink(variant) ? `${path}/usual` : undefined)
  const inputs = { verse: () => <VerseInput />, link: () => <LinkInput offered={offered} /> }
  const values = Form.useWatch([], form)
  const body = asBody(resource, fields, values ?? USUAL)
  const preview = usePreview(form, `${path}/preview`, body)
  const { taking, take } = useTaking(path)
  /** What was made last, and its record: whoever takes PDF and picture of one sheet makes one. */
  const made = useRef<{ body: string; id: string }>(undefined)

  const make = async (): Promise<string | undefined> => {
    // As the form has it now: what is drawn of it may be a key behind.
    const entered = await form.validateFields().catch(() => undefined)
    if (!entered) return undefined
    const wanted = asBody(resource, fields, entered)
    const sent = JSON.stringify(wanted)
    if (made.current?.body === sent) return made.current.id
    try {
      const { id } = await doOnce(`${path} ${sent}`, idempotencyKey =>
        post<{ id: string }>(`${path}/make`, wanted, { idempotencyKey }),
      )
      made.current = { body: sent, id }
      notices.done(say('taken'))
      reload()
      return id
    } catch (error) {
      if (!(error instanceof CallFailed) || Object.keys(error.fields).length === 0) throw error
      form.setFields(fields.map(name => ({ name, errors: [error.fields[name] ?? []].flat() })))
      return undefined
    }
  }

  return (
    <Card size="small" className="name-sheet">
      <Form form={form} layout="vertical" initialValues={USUAL} className="name-sheet-form">
        <FormFields resource={resource} fields={fields} inputs={inputs} isShown={isShown} />
        {mayTake && <TakeButtons taking={taking} onTake={kind => void take(kind, make)} />}
      </Form>
      <Preview {...preview} name={String(body.name ?? '')} />
    </Card>
  )
}
