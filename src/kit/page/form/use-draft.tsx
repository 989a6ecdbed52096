import { Alert, Button, Form } from 'antd'
import { useContext, useEffect, useRef, useState } from 'react'
import { fieldMeta, metasIn } from '#kit/model/field.ts'
import { holdsNumber } from '#kit/model/mask.ts'
import type { Resource } from '#kit/model/resource.ts'
import { relativeDay } from '#kit/model/time.ts'
import { type Draft, dropDraft, readDraft, writeDraft } from '../draft.ts'
import { useTexts } from '../language.ts'
import { TabContext } from '../tab.ts'
import { useUser } from '../user.ts'
import type { locale } from './locale.ts'
import { isSame } from './merge.ts'
import type { Values } from './values.ts'

/** Keeps what is typed in a form through a reload, and gives it back once. Without a name nothing is kept. */
export function useDraft(resource: Resource, fields: readonly string[], what: string | undefined) {
  const person = useUser(({ info }) => info?.id)
  // With the tab it is typed in it goes: a record has one of its own beside that of its list.
  const route = useContext(TabContext)?.path ?? resource.screen.route
  const place = person === undefined || what === undefined ? undefined : { person, route, what }
  const [restored, setRestored] = useState(() => place && readDraft(place))
  return {
    restored,
    keep(values: Values, base: Values, version: number) {
      if (!place) return
      const changed = fields.filter(field => !isSame(values[field], base[field]))
      const kept = changed.filter(field => mayKeep(resource, field, values[field]))
      if (kept.length === 0) return dropDraft(place)
      const of = (all: Values) => Object.fromEntries(kept.map(field => [field, all[field]]))
      const left = changed.filter(field => !kept.includes(field))
      writeDraft(place, { at: Date.now(), version, values: of(values), base: of(base), left })
    },
    drop() {
      if (place) dropDraft(place)
      setRestored(undefined)
    },
  }
}

/** Neither what is masked on the page, nor whom a record is about, nor a number that leads to somebody, wherever it stands. */
function mayKeep(resource: Resource, field: string, value: unknown): boolean {
  const schema = resource.record.shape[field]
  if (!schema) return false
  const meta = fieldMeta(schema)
  const isPersonal = [...metasIn(schema)].some(({ kind }) => kind === 'personal')
  const namesPerson = meta.kind === 'text' && meta.isPerson === true
  return !isPersonal && !namesPerson && !holdsNumber(JSON.stringify(value ?? ''))
}

type Props = { draft: Draft; nameOf(field: string): string; onRestored?(draft: Draft): void; onDiscard(): void }

/** Puts back what was typed before a reload, says so quietly, and lets it be thrown away. Stands in the form it fills. */
export function Restored({ draft, nameOf, onRestored, onDiscard }: Props) {
  const words = useTexts<typeof locale>('kit/page/form')
  const form = Form.useFormInstance<Values>()
  const isDone = useRef(false)
  useEffect(function fillIn() {
    // Effects run again whenever the tab is shown: by then something else may have been typed.
    if (isDone.current) return
    isDone.current = true
    form.setFieldsValue(draft.values)
    onRestored?.(draft)
  })
  const { day, time } = relativeDay(new Date(draft.at), new Date())
  return (
    <Alert
      type="info"
      className="inkstone-restored"
      title={
        <>
          <div>{words(day === 'today' ? 'draft-restored' : 'draft-restored-yesterday', { time })}</div>
          {draft.left.length > 0 && (
            <div className="inkstone-note">{words('draft-left', { names: draft.left.map(nameOf).join(', ') })}</div>
          )}
        </>
      }
      action={
        <Button
          type="link"
          size="small"
          onClick={() => {
            form.resetFields()
            onDiscard()
          }}
        >
          {words('draft-discard')}
        </Button>
      }
    />
  )
}
