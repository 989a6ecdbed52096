import { Select } from 'antd'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import { useKnownNames } from './use-known.page.tsx'

type Props = { id?: string; value?: string | null; onChange?(event: string | null): void }

/** One of the events the console runs through chains, or none. */
export function EventInput({ id, value, onChange }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const events = useKnownNames()?.events
  return (
    <Select
      {...(id !== undefined && { id })}
      allowClear
      value={value ?? null}
      placeholder={say('event-none')}
      loading={events === undefined}
      options={events?.map(({ name, title }) => ({ value: name, label: title })) ?? []}
      onChange={(event: string | null | undefined) => onChange?.(event ?? null)}
    />
  )
}
