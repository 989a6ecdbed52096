import { useRef, useState } from 'react'
import { CODES } from '#kit/model/contract.ts'
import type { Resource } from '#kit/model/resource.ts'
import { CallFailed, get, post, put } from '../call.ts'
import { useTexts } from '../language.ts'
import { nameOf, type Row } from '../list/list-state.ts'
import type { locale as kitLocale } from '../locale.ts'
import { type Sequel, useNotices } from '../notice.tsx'
import { useTab } from '../tab.ts'
import { mayDo, useUser } from '../user.ts'
import type { FieldErrors } from './field-errors.tsx'
import { asBody, asEdit } from './fields.tsx'
import type { locale } from './locale.ts'
import type { Latest, useMerging } from './use-merging.ts'
import type { Values } from './values.ts'

/** Spec §4: closed, open for input, being sent. */
type FormPhase = 'normal' | 'prepared' | 'processing'

type Sending = {
  resource: Resource
  fields: readonly string[]
  edited: Latest | undefined
  merging: ReturnType<typeof useMerging>
  showErrors(errors: FieldErrors): void
  onSent(): void
}

/** What is said of something sent, after the word that it worked, and where it can be looked at. */
type Said = { readonly words: readonly (string | undefined)[]; readonly sequel?: Sequel }

/** Others may be quicker again while two versions are brought together; then somebody else has to wait. */
const MAX_TRIES = 5

/** Sends a form once, however often that is asked for, and says what became of it. */
export function useSending({ resource, fields, edited, merging, showErrors, onSent }: Sending) {
  const kit = useTexts<typeof kitLocale>('kit/page')
  const words = useTexts<typeof locale>('kit/page/form')
  const say = useTexts(resource.screen.name)
  const notices = useNotices()
  const tab = useTab()
  const user = useUser()
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

  const add = async (values: Values): Promise<Said> => {
    const body = asBody(resource, fields, values)
    const { id } = await post<{ id: string }>(path, body, { idempotencyKey: key })
    // What was typed is known; a number is the console's to give, and whoever asked wants to hear it.
    const isTold = !fields.includes(resource.title) && resource.actions.includes('detail')
    if (!isTold || !mayDo(user, resource.screen.key, 'detail')) return { words: [] }
    const row = await get<Row>(`${path}/${id}`).catch(() => undefined)
    return {
      words: [nameOf(resource, row)],
      sequel: { open: () => tab.open(`${resource.screen.route}?open=${id}`) },
    }
  }

  const edit = async (id: string, values: Values): Promise<Said | undefined> => {
    const merged = await save(id, values)
    const names = merged?.map(field => say(`field.${field}`)).join(', ')
    return merged && { words: [names && words('conflict-taken', { names })] }
  }

  const send = async (values: Values) => {
    if (sent.current) return
    sent.current = true
    setPhase('processing')
    try {
      const said = edited ? await edit(edited.id, values) : await add(values)
      if (said) {
        notices.done([kit(edited ? 'edited-ok' : 'added-ok'), ...said.words].filter(Boolean).join(' · '), said.sequel)
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
