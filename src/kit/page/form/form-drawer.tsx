import { Button, Form, Space, Tooltip } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import { FORM_RESET_MS } from '#kit/model/contract.ts'
import type { Resource } from '#kit/model/resource.ts'
import type { Shows } from '../detail/detail-types.ts'
import { hasText, say as sayIn, useTexts } from '../language.ts'
import type { locale as kitLocale } from '../locale.ts'
import { SideDrawer } from '../side-drawer.tsx'
import { ConflictNotice } from './conflict.tsx'
import { useFieldErrors } from './field-errors.tsx'
import { emptyValues, FormFields, maskedInputs, unmasked, withMasked } from './fields.tsx'
import { type Inputs, type IsShown, withInput } from './inputs.ts'
import type { locale } from './locale.ts'
import { Rebased } from './rebased.tsx'
import { Restored, useDraft } from './use-draft.tsx'
import { useLeaving } from './use-leaving.ts'
import { type Latest, useMerging } from './use-merging.ts'
import { useSending } from './use-sending.ts'
import type { Values } from './values.ts'

export type FormDrawerProps = {
  resource: Resource
  inputs: Inputs
  isShown: IsShown
  /** How the two versions of a field are shown after a conflict. */
  shows: Shows
  /** The record being edited; none when one is added. */
  record: Latest | undefined
  /** Values a new record starts with. */
  initial: Values
  open: boolean
  onClose(): void
  onDone(): void
}

const WIDTH = 720
/** As much of the page as there is, up to this. */
const ROOMY_WIDTH = 1200
/** More fields than this stand in two columns. */
const ONE_COLUMN = 8

/** How long a closed form stays mounted: until the drawer has left the screen. */
const LINGER_MS = 400

/** Adds or edits a record: validates, sends once, puts the server's errors beside their fields, never loses what was typed. */
export function FormDrawer(props: FormDrawerProps) {
  const [opening, setOpening] = useState(0)
  const [mounted, setMounted] = useState(false)
  const wasOpen = useRef(false)
  useEffect(
    function followOpen() {
      if (props.open) {
        // Effects run again whenever the tab is shown: coming back to an open form is not another opening.
        if (wasOpen.current) return
        wasOpen.current = true
        setOpening(number => number + 1)
        setMounted(true)
        return
      }
      wasOpen.current = false
      const timer = setTimeout(() => setMounted(false), LINGER_MS)
      return () => clearTimeout(timer)
    },
    [props.open],
  )
  return mounted && <OpenForm key={opening} {...props} />
}

/** One opening of the form: its values, its idempotency key and the version it edits belong to it alone. */
function OpenForm({ resource, inputs, isShown, shows, record, initial, open, onClose, onDone }: FormDrawerProps) {
  const kit = useTexts<typeof kitLocale>('kit/page')
  const words = useTexts<typeof locale>('kit/page/form')
  const say = useTexts(resource.screen.name)
  const name = useId()
  const [form] = Form.useForm<Values>()
  const [edited] = useState(record)
  const asked = edited ? withMasked(resource) : withInput(resource, resource.asks)
  const fields = edited ? resource.edit : [...resource.create, ...Object.keys(resource.asks)]
  const [start] = useState<Values>(() =>
    edited ? unmasked(resource, edited) : { ...emptyValues(asked, fields), ...initial },
  )
  const merging = useMerging(resource, form, fields, edited ?? { ...start, id: '', version: 0 })
  const draft = useDraft(asked, fields, edited ? `edit ${edited.id}` : `create ${JSON.stringify(initial)}`)
  const [touched, setTouched] = useState(draft.restored !== undefined)
  const { showErrors, notice, found } = useFieldErrors(form, asked)
  const finish = () => {
    draft.drop()
    setTouched(false)
    onClose()
    // Spec §4: the form is emptied once the drawer has left the screen.
    setTimeout(() => form.resetFields(), FORM_RESET_MS)
  }
  const onSent = () => {
    finish()
    onDone()
  }
  const { phase, send } = useSending({ resource: asked, fields, edited, merging, showErrors, onSent })
  const askFirst = useLeaving(open && touched, finish)
  const leave = () => phase !== 'processing' && (touched ? askFirst() : finish())
  const verb = edited ? 'save' : 'create'

  return (
    <SideDrawer
      open={open}
      size={Object.values(inputs).some(({ isRoomy }) => isRoomy) ? ROOMY_WIDTH : WIDTH}
      onClose={leave}
      // Whoever adds a record types at once; whoever edits one reads first.
      afterOpenChange={shown => shown && !edited && form.focusField(fields[0] as string)}
      title={words(edited ? 'edit-record' : 'create-record', { record: say('record') })}
      footer={
        <Space style={{ float: 'right' }}>
          <Button onClick={leave}>{kit('cancel')}</Button>
          <Tooltip title={merging.left > 0 && words('conflict-left', { count: merging.left })}>
            <Button
              type="primary"
              htmlType="submit"
              form={name}
              loading={phase === 'processing'}
              disabled={merging.left > 0}
            >
              {ownVerb(resource, verb) ?? words(`${verb}-record`, { record: say('record') })}
            </Button>
          </Tooltip>
        </Space>
      }
    >
      {merging.conflict && (
        <ConflictNotice resource={resource} shows={shows} conflict={merging.conflict} onDecide={merging.decide} />
      )}
      <Form
        form={form}
        // Tells its fields' labels from those of a form in another tab, and ties the button below to it.
        name={name}
        layout="vertical"
        initialValues={start}
        scrollToFirstError={{ block: 'center', focus: true }}
        onFinish={send}
        onValuesChange={changed => {
          setTouched(true)
          merging.entered(changed)
          draft.keep(form.getFieldsValue(true), unmasked(resource, merging.base.current), merging.base.current.version)
        }}
        onKeyDown={event => {
          if ((event.metaKey || event.ctrlKey) && event.key === 'Enter' && merging.left === 0) form.submit()
        }}
        className={fields.length > ONE_COLUMN ? 'inkstone-columns' : ''}
      >
        <Rebased stale={draft.restored ? null : edited?.stale} onFilled={merging.resume} />
        {draft.restored && (
          <Restored
            draft={draft.restored}
            nameOf={field => say(`field.${field}`)}
            onRestored={({ base, version }) => merging.resume(base, version)}
            onDiscard={() => {
              draft.drop()
              merging.begin()
              setTouched(false)
            }}
          />
        )}
        {notice}
        <FormFields
          resource={asked}
          fields={fields}
          inputs={edited ? { ...maskedInputs(resource, edited), ...inputs } : inputs}
          isShown={isShown}
          found={found}
        />
      </Form>
    </SideDrawer>
  )
}

/** What the slice calls saving, where it is more than that: a request is submitted, a draft kept. */
const ownVerb = ({ screen }: Resource, verb: string): string | undefined =>
  hasText(screen.name, `do.${verb}`) ? sayIn(screen.name, `do.${verb}`) : undefined
