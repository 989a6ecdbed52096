import { Button, Form, Space } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import { CODES, FORM_RESET_MS } from '#kit/model/contract.ts'
import type { Resource } from '#kit/model/resource.ts'
import { CallFailed, post, put } from '../call.ts'
import type { Shows } from '../detail/detail-drawer.tsx'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { useNotices } from '../notice.ts'
import { useQuestion } from '../question.ts'
import { SideDrawer } from '../side-drawer.tsx'
import { useTab } from '../tab.ts'
import { ConflictNotice } from './conflict.tsx'
import {
  asBody,
  asEdit,
  emptyValues,
  FormFields,
  fieldErrors,
  type Inputs,
  type IsShown,
  maskedInputs,
  unmasked,
  type Values,
  withInput,
  withMasked,
} from './fields.tsx'

/** Spec §4: closed, open for input, being sent. */
export type FormPhase = 'normal' | 'prepared' | 'processing'

export type FormDrawerProps = {
  resource: Resource
  inputs: Inputs
  isShown: IsShown
  /** How the two versions of a field are shown after a conflict. */
  shows: Shows
  /** The record being edited; none when one is added. */
  record: (Values & { id: string; version: number }) | undefined
  /** Values a new record starts with. */
  initial: Values
  open: boolean
  onClose(): void
  onDone(): void
}

const WIDTH = 720
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
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const notices = useNotices()
  const { setUnsaved } = useTab()
  const ask = useQuestion()
  const name = useId()
  const [form] = Form.useForm<Values>()
  const [edited] = useState(record)
  const [phase, setPhase] = useState<FormPhase>('prepared')
  const [touched, setTouched] = useState(false)
  const [conflict, setConflict] = useState<Values & { version: number }>()
  const [version, setVersion] = useState(record?.version ?? 0)
  const [key] = useState(() => crypto.randomUUID())
  // One opening has one effect: state would be too late for a second Enter in the same moment.
  const sent = useRef(false)
  const asked = edited ? withMasked(resource) : withInput(resource, resource.asks)
  const fields = edited ? resource.edit : [...resource.create, ...Object.keys(resource.asks)]

  useEffect(
    function tellTheTab() {
      setUnsaved(open && touched)
    },
    [setUnsaved, open, touched],
  )

  const finish = () => {
    setPhase('normal')
    setTouched(false)
    onClose()
    // Spec §4: the form is emptied once the drawer has left the screen.
    setTimeout(() => form.resetFields(), FORM_RESET_MS)
  }

  const leave = () => {
    if (phase === 'processing') return
    if (!touched) return finish()
    ask({
      title: kit('unsaved-title'),
      content: kit('unsaved-text'),
      okText: kit('unsaved-leave'),
      okType: 'danger',
      cancelText: kit('unsaved-stay'),
      onOk: finish,
    })
  }

  const send = async (values: Values) => {
    if (sent.current) return
    sent.current = true
    setPhase('processing')
    try {
      const path = `/${resource.screen.name}`
      if (edited) await put(`${path}/${edited.id}`, { ...asEdit(asked, fields, values), version })
      else await post(path, asBody(asked, fields, values), { idempotencyKey: key })
      notices.done(kit(edited ? 'edited-ok' : 'added-ok'))
      finish()
      onDone()
    } catch (error) {
      setPhase('prepared')
      sent.current = false
      if (error instanceof CallFailed && error.code === CODES.conflict && error.current)
        return setConflict(error.current as never)
      if (error instanceof CallFailed) form.setFields(fieldErrors(error.fields))
      notices.failed(error, kit(edited ? 'edit-failed' : 'add-failed'))
    }
  }

  const takeNewest = () => {
    form.setFieldsValue(unmasked(resource, conflict as Values))
    setVersion(conflict?.version ?? version)
    setConflict(undefined)
  }
  const keepMine = () => {
    setVersion(conflict?.version ?? version)
    setConflict(undefined)
  }

  return (
    <SideDrawer
      open={open}
      size={WIDTH}
      onClose={leave}
      // Whoever adds a record types at once; whoever edits one reads first.
      afterOpenChange={shown => shown && !edited && form.focusField(fields[0] as string)}
      title={`${kit(edited ? 'edit' : 'add')} · ${say('record' as never)}`}
      footer={
        <Space style={{ float: 'right' }}>
          <Button onClick={leave}>{kit('cancel')}</Button>
          <Button type="primary" htmlType="submit" form={name} loading={phase === 'processing'}>
            {kit(edited ? 'save' : 'submit')}
          </Button>
        </Space>
      }
    >
      {conflict && (
        <ConflictNotice
          resource={resource}
          shows={shows}
          mine={form.getFieldsValue()}
          theirs={unmasked(resource, conflict)}
          onTake={takeNewest}
          onKeep={keepMine}
        />
      )}
      <Form
        form={form}
        // Tells its fields' labels from those of a form in another tab, and ties the button below to it.
        name={name}
        layout="vertical"
        initialValues={edited ? unmasked(resource, edited) : { ...emptyValues(asked, fields), ...initial }}
        onFinish={send}
        onValuesChange={() => setTouched(true)}
        onKeyDown={event => {
          if ((event.metaKey || event.ctrlKey) && event.key === 'Enter') form.submit()
        }}
        style={fields.length > ONE_COLUMN ? { display: 'grid', gridTemplateColumns: '1fr 1fr', columnGap: 16 } : {}}
      >
        <FormFields
          resource={asked}
          fields={fields}
          inputs={edited ? { ...maskedInputs(resource, edited), ...inputs } : inputs}
          isShown={isShown}
        />
      </Form>
    </SideDrawer>
  )
}
