import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { get } from '#kit/page/call.ts'
import { useLanguage, useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type KnownNames, resource } from './model.ts'

type Props = { id?: string; value?: string | null; onChange?(event: string | null): void }

/** One of the events the console runs through chains, or none. */
export function EventInput({ id, value, onChange }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const language = useLanguage()
  const events = useQuery({
    queryKey: [resource.screen.name, 'known', language],
    queryFn: () => get<KnownNames>(`/${resource.screen.name}/known`),
  }).data?.events
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
