import { CopyOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import { lazy, type ReactNode, Suspense, use } from 'react'
import type { FieldMeta, Tone } from '#kit/model/field.ts'
import { type Label, metaOf, type Resource, type RowOf } from '#kit/model/resource.ts'
import { formatInstant, relativeDay } from '#kit/model/time.ts'
import { useCopy } from '../clipboard.ts'
import { formatCount, formatShare, formatYuan } from '../figures.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { ColourTag, StateTag, ToneDot } from '../tone.tsx'
import { useEntry } from './dictionary.ts'
import { Figure } from './figure.tsx'
import { RecordLinkContext } from './record-link.ts'
import { WaitingLine } from './waits.ts'

// Pictures bring a viewer with them, and few lists show any.
const Sent = lazy(async () => ({ default: (await import('./files.tsx')).Sent }))

/** A field that is missing, as opposed to zero or empty text. */
export const MISSING = '–'

export const isMissing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** What stands before a value: the currency once, here, and not at each amount. */
export const headOf = (resource: Resource, field: string, name: string): string =>
  metaOf(resource, field).kind === 'money' ? `${name} (¥)` : name

type ShowProps = {
  resource: Resource
  field: string
  row: RowOf<Resource>
  /** Whether it stands in a table, beside other columns. */
  brief?: boolean
}

/** One value the way people read it; the same in lists, details and cards. */
export function Show({ resource, field, row, brief = false }: ShowProps): ReactNode {
  const value = (row as Record<string, unknown>)[field]
  if (isMissing(value)) return MISSING
  const shown = (
    <Value resource={resource} field={field} meta={metaOf(resource, field)} value={value} label={row.labels[field]} />
  )
  if (row.waiting?.field !== field) return shown
  return (
    <span className="inkstone-standing">
      {shown}
      <Suspense>
        <WaitingLine waiting={row.waiting} steps={row.steps} brief={brief} />
      </Suspense>
    </span>
  )
}

type ValueProps = { resource: Resource; field: string; meta: FieldMeta; value: unknown; label: Label | undefined }

function Value({ resource, field, meta, value, label }: ValueProps): ReactNode {
  switch (meta.kind) {
    case 'money':
      return <Figure>{formatYuan(value as number)}</Figure>
    case 'number':
      return <Figure>{label?.name ?? (meta.isShare ? formatShare : formatCount)(value as number)}</Figure>
    case 'instant':
      return <Instant at={value as string} />
    case 'code':
      return label ? <Text>{label.name}</Text> : <Code>{value as string}</Code>
    case 'choice':
      return (
        <Choice
          namespace={resource.screen.name}
          field={field}
          value={value as string}
          tone={meta.tones[value as string] ?? 'idle'}
        />
      )
    case 'dictionary':
      if (label) return <Text>{label.name}</Text>
      return <DictionaryValue code={meta.code} value={value as string} />
    case 'tags':
      return (
        <span className="inkstone-tags">
          {(value as string[]).map(tag => (
            <DictionaryValue key={tag} code={meta.code} value={tag} />
          ))}
        </span>
      )
    case 'reference':
      return label ? <ReferenceLabel label={label} to={meta.to} /> : MISSING
    case 'flag':
      return <Flag value={value as boolean} />
    case 'files':
      return (
        <Suspense>
          <Sent purpose={meta.purpose} ids={value as string[]} />
        </Suspense>
      )
    default:
      return <Text>{label?.name ?? String(value)}</Text>
  }
}

/** Cut where there is no room, and whole on hover; in the language of whoever looks, where it has words in several. */
const Text = ({ children }: { children: string }) => <span title={children}>{children}</span>

function Choice({ namespace, field, value, tone }: { namespace: string; field: string; value: string; tone: Tone }) {
  const say = useTexts(namespace)
  return <StateTag tone={tone}>{say(`${field}.${value}`)}</StateTag>
}

function Flag({ value }: { value: boolean }) {
  const say = useTexts<typeof locale>('kit/page')
  return value ? say('yes') : say('no')
}

/** "today 14:03", with the full stamp on hover (spec §9). */
export function Instant({ at }: { at: string }) {
  const say = useTexts<typeof locale>('kit/page')
  const instant = new Date(at)
  const full = formatInstant(instant)
  const { day, time } = relativeDay(instant, new Date())
  return (
    <Tooltip title={full}>
      <time dateTime={at} className="inkstone-figure">
        {day ? `${say(day)} ${time}` : full.slice(0, 16)}
      </time>
    </Tooltip>
  )
}

/** A number people copy: monospaced, with a copy button on hover or focus; whole on hover where a list has no room for it. */
export function Code({ children }: { children: string }) {
  const say = useTexts<typeof locale>('kit/page')
  const copy = useCopy()
  return (
    <span className="inkstone-code">
      <span title={children}>{children}</span>
      <Button
        type="text"
        size="small"
        className="inkstone-copy"
        aria-label={say('copy')}
        icon={<CopyOutlined />}
        onClick={() => copy(children)}
      />
    </span>
  )
}

function DictionaryValue({ code, value }: { code: string; value: string }) {
  const entry = useEntry(code, value)
  return entry && <ColourTag colour={entry.colour}>{entry.k}</ColourTag>
}

const TONES: Readonly<Record<string, Tone>> = { TRIAL: 'busy', MEMBER: 'done', EXPIRED: 'idle' }

/** A masked note shows by its stars that there is more to see. */
export const isMaskedNote = ({ note }: Label): boolean => note?.includes('***') ?? false

/** Another record: its name, what stands after it (a masked phone, an account) and a dot for its state. */
export function ReferenceLabel({ label, to }: { label: Label; to?: string }) {
  const say = useTexts<typeof locale>('kit/page')
  const linkTo = use(RecordLinkContext)
  const path = to === undefined ? undefined : linkTo(to, label.id)
  const tone = label.tone === null ? undefined : TONES[label.tone]
  return (
    <span className="inkstone-reference" title={[label.name, label.note].filter(Boolean).join(' ')}>
      {tone && <ToneDot tone={tone} title={say(`tone.${label.tone}` as 'tone.TRIAL')} />}
      {path === undefined ? <span>{label.name}</span> : <a href={`#${path}`}>{label.name}</a>}
      {label.note && label.note !== label.name && (
        <span className={isMaskedNote(label) ? 'inkstone-note' : 'inkstone-note inkstone-spare'}>{label.note}</span>
      )}
    </span>
  )
}
