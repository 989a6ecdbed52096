import { useRef, useState } from 'react'
import { CODES } from '#kit/model/contract.ts'
import type { Resource } from '#kit/model/resource.ts'
import { CallFailed, post, put } from '../call.ts'
import { useTexts } from '../language.ts'
import type { locale as kitLocale } from '../locale.ts'
import { useNotices } from '../notice.tsx'
import type { FieldErrors } from './field-errors.tsx'
import { asBody, asEdit } from './fields.tsx'
import type { locale } from './locale.ts'
import type { Latest, useMerging } from './use-merging.ts'
import type { Values } from './values.ts'

/** Spec §4: closed, open for input, being sent. */
export type FormPhase = 'normal' | 'prepared' | 'processing'

type Sending = {
  resource: Resource
  fields: readonly string[]
  edited: Latest | undefined
  merging: ReturnType<typeof useMerging>
  showErrors(errors: FieldErrors): void
  onSent(): void
}

/** Others may be quicker again while two versions are brought together; then somebody else has to wait. */
const MAX_TRIES = 5

/** Sends a form once, however often that is asked for, and says what became of it. */
export function useSending({ resource, fields, edited, merging, showErrors, onSent }: Sending) {
  const kit = useTexts<typeof kitLocale>('kit/page')
  const words = useTexts<typeof locale>('kit/page/form')
  const say = useTexts(resource.screen.name)
  const notices = useNotices()
  const [phase, setPhase] = useState<FormPhase>('prepared')
  const [key] = useState(() => crypto.randomUUID())
  // One opening has one effect: state would be too late for a second Enter in the same moment.
  const sent = useRef(false)
  const path = `/${resource.screen.name}`

  /** Saves over the version that was read, or over what others made of it; nothing while somebody has to decide. */
  const save = async (id: string, values: Values): Promise<readonly string[] | undefined> => {
    let merged: Values = {}
    for (let tries = 1; ; tries++) {
      try {
        const { version } = merging.base.current
        await put(`${path}/${id}`, { ...asEdit(resource, fields, { ...values, ...merged }), version })
        return Object.keys(merged)
      } catch (error) {
        if (!(error instanceof CallFailed) || error.code !== CODES.conflict || !error.current || tries === MAX_TRIES)
          throw error
        const taken = await merging.settle(error.current as Latest)
        if (!taken) return undefined
        merged = { ...merged, ...taken }
      }
    }
  }

  const add = async (values: Values): Promise<readonly string[]> => {
    await post(path, asBody(resource, fields, values), { idempotencyKey: key })
    return []
  }

  const send = async (values: Values) => {
    if (sent.current) return
    sent.current = true
    setPhase('processing')
    try {
      const merged = edited ? await save(edited.id, values) : await add(values)
      if (merged) {
        const names = merged.map(field => say(`field.${field}` as never)).join(', ')
        notices.done(
          [kit(edited ? 'edited-ok' : 'added-ok'), names && words('conflict-taken', { names })]
            .filter(Boolean)
            .join(' · '),
        )
        setPhase('normal')
        return onSent()
      }
    } catch (error) {
      if (error instanceof CallFailed) showErrors(error.fields)
      notices.failed(error, kit(edited ? 'edit-failed' : 'add-failed'))
    }
    setPhase('prepared')
    sent.current = false
  }
  return { phase, send }
}
