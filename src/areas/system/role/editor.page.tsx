import { Alert, Form } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { inOneLine } from '#kit/model/language.ts'
import { get } from '#kit/page/call.ts'
import { ReferencePicker } from '#kit/page/field/reference-picker.tsx'
import { useLanguage, useTexts } from '#kit/page/language.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { TreesPicker } from '#kit/page/tree/tree-picker.tsx'
import { SUPER_ADMIN } from './factor.model.ts'
import type { locale } from './locale.ts'
import { type Role, resource } from './model.ts'
import { between, entriesIn, type PermissionTree, pageOf } from './permission-tree.model.ts'
import { Permissions, usePermissionTree } from './permissions.page.tsx'

type Given<T> = { id?: string; value?: T; onChange?(value: T): void }

export const DepartmentsInput = (given: Given<string[]>) => <TreesPicker to="department" {...given} />

/** What another role allows is taken over, as far as whoever copies holds it himself. */
export function CopyInput({ value, onChange, ...control }: Given<string | null>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const notices = useNotices()
  const form = Form.useFormInstance()
  const { data: tree } = usePermissionTree()
  // Once for each role that is chosen, by hand or by the link that opened the form: what is changed afterwards stays.
  const taken = useRef<string>(undefined)
  useEffect(function takeOver() {
    if (!value || !tree || taken.current === value) return
    taken.current = value
    const held = new Set(tree.flatMap(entriesIn).flatMap(({ key, isHeld }) => (isHeld ? [key] : [])))
    get<Role>(`/${resource.screen.name}/${value}`).then(
      ({ scope, orgIds, permissions }) =>
        form.setFieldsValue({ scope, orgIds, permissions: permissions.filter(key => held.has(key)) }),
      (error: unknown) => notices.failed(error, say('copy')),
    )
  })
  return <ReferencePicker to="role" {...control} value={value ?? ''} onChange={id => onChange?.(id || null)} />
}

/** All that may be held, ticked; below it what saving would give and take. */
export function PermissionsInput({ id, value = [], onChange }: Given<string[]>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const form = Form.useFormInstance()
  const [before] = useState(value)
  if (form.getFieldValue('code') === SUPER_ADMIN && form.getFieldValue('version') !== undefined)
    return <Alert type="info" showIcon title={say('fixed')} />
  return (
    <>
      <Permissions id={id} held={new Set(value)} onChange={held => onChange?.([...held])} />
      <WhatChanges before={before} after={value} />
    </>
  )
}

function WhatChanges({ before, after }: { before: readonly string[]; after: readonly string[] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const language = useLanguage()
  const { data = [] } = usePermissionTree()
  const { given, taken } = between(before, after)
  const named = (keys: readonly string[]) => inOneLine(language, namesOf(data, keys, say('open')))
  if (given.length + taken.length === 0) return <p className="inkstone-note role-change">{say('no-change')}</p>
  return (
    <>
      {given.length > 0 && (
        <Alert
          className="role-change"
          type="success"
          title={say('will-give', { count: given.length, names: named(given) })}
        />
      )}
      {taken.length > 0 && (
        <Alert
          className="role-change"
          type="warning"
          title={say('will-take', { count: taken.length, names: named(taken) })}
        />
      )}
    </>
  )
}

/** Each with its page, for "Create" alone says nothing. */
export function namesOf(tree: PermissionTree, keys: readonly string[], open: string): string[] {
  const pages = new Map(tree.flatMap(group => group.pages).map(page => [page.key, page]))
  return keys.map(key => {
    const page = pages.get(pageOf(key))
    const action = page?.actions.find(known => known.key === key)
    return `${page?.name ?? key} · ${key === page?.key ? open : (action?.name ?? key)}`
  })
}
