import { Alert, Form } from 'antd'
import { useEffect, useRef } from 'react'
import type { StaleDraft } from '#kit/model/edition.ts'
import { useTexts } from '../language.ts'
import type { locale } from './locale.ts'
import type { Values } from './values.ts'

/** No version of a record is this one: whatever stands now came after what the draft was begun from. */
const EARLIER = 0

type Props = { stale: StaleDraft | null | undefined; onFilled(base: Values, version: number): void }

/** Puts a draft that was begun from an older edition over the newest one; both sides are asked for where they differ. */
export function Rebased({ stale, onFilled }: Props) {
  const words = useTexts<typeof locale>('kit/page/form')
  const form = Form.useFormInstance<Values>()
  const isDone = useRef(false)
  useEffect(function fillIn() {
    // Effects run again whenever the tab is shown: by then something else may have been typed.
    if (isDone.current || !stale) return
    isDone.current = true
    form.setFieldsValue(stale.mine)
    onFilled(stale.base, EARLIER)
  })
  return stale && <Alert type="info" className="inkstone-restored" title={words('draft-rebased')} />
}
