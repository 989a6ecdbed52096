import { Alert, Button, type FormInstance } from 'antd'
import { useRef, useState } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { hasText, useTexts } from '../language.ts'
import type { locale as kitLocale } from '../locale.ts'
import { useReachable } from '../reach.ts'
import { isOfLine, NOTHING_FOUND } from './line-errors.ts'
import type { locale } from './locale.ts'
import type { Values } from './values.ts'

export type FieldErrors = Readonly<Record<string, string>>

const ABOVE = { marginBottom: 16, gridColumn: '1 / -1' }

/** Says, where something is being entered, that it cannot be sent for now and is not lost. */
function OfflineNote() {
  const words = useTexts<typeof locale>('kit/page/form')
  if (useReachable()) return null
  return <Alert type="warning" showIcon style={ABOVE} title={words('offline')} />
}

/** What was refused can be asked for: the way there stands where the refusal does. */
export function AskInstead({ onAsk }: { onAsk(): void }) {
  const kit = useTexts<typeof kitLocale>('kit/page')
  const button = (
    <Button size="small" type="primary" onClick={onAsk}>
      {kit('ask-for-it')}
    </Button>
  )
  return <Alert type="info" showIcon style={ABOVE} title={kit('ask-instead')} action={button} />
}

/** Puts what the server found wrong beside the inputs it speaks of; what no input stands for is said above them. */
export function useFieldErrors(form: FormInstance<Values>, resource: Resource) {
  const words = useTexts<typeof locale>('kit/page/form')
  const say = useTexts(resource.screen.name)
  const [elsewhere, setElsewhere] = useState<readonly string[]>([])
  const [wrong, setWrong] = useState(NOTHING_FOUND.wrong)
  /** Fields whose lines say at their cells what is wrong there. */
  const editors = useRef(new Set<string>()).current
  const nameOf = (field: string) => (hasText(resource.screen.name, `field.${field}`) ? say(`field.${field}`) : field)
  const showErrors = (errors: FieldErrors) => {
    const asked = new Set(Object.keys(form.getFieldsValue()))
    const fields = Map.groupBy(Object.entries(errors), ([path]) => path.split('.')[0] as string)
    const here = [...fields].filter(([field]) => asked.has(field))
    form.setFields(
      here.map(([name, found]) => ({
        name,
        errors: found
          .filter(([path]) => !(editors.has(name) && isOfLine(path, name)))
          .map(([path, message]) => {
            const line = /^[^.]+\.(\d+)/.exec(path)?.[1]
            return line === undefined ? message : words('in-line', { number: Number(line) + 1, message })
          }),
      })),
    )
    setWrong({ errors, values: form.getFieldsValue() })
    if (here[0]) form.focusField(here[0][0])
    setElsewhere(
      [...fields]
        .filter(([field]) => !asked.has(field))
        .flatMap(([field, found]) => found.map(([, message]) => `${nameOf(field)}: ${message}`)),
    )
  }
  const notice = (
    <>
      <OfflineNote />
      {elsewhere.length > 0 && <Alert type="error" style={ABOVE} title={elsewhere.join(' · ')} />}
    </>
  )
  return { showErrors, notice, found: { wrong, editors } }
}
