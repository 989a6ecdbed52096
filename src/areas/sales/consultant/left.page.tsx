import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { formatInstant } from '#kit/model/time.ts'
import { get } from '#kit/page/call.ts'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import type { Left } from './rules.model.ts'

/** As many kinds as are read at a glance. */
const SHOWN = 3

/** What waits and no rule takes: how many, of what kind, and the way to mend it. */
export function LeftOver({ onMend }: { onMend(): void }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const [sources, channels] = [useDictionary('MEMBER_SOURCE'), useDictionary('CHANNEL')]
  const { data } = useQuery({
    queryKey: [resource.screen.name, 'left'],
    queryFn: ({ signal }) => get<Left>(`/${resource.screen.name}/allocation/left`, { signal }),
  })
  if (!data || data.since === null) return null
  const { count, since, came } = data
  const called = (entries: typeof sources, value: string) => entries.find(({ v }) => v === value)?.k ?? value
  const kinds = came.slice(0, SHOWN).map(({ source, channel, product, count: of }) => {
    const named = [called(sources, source), called(channels, channel), product].filter(Boolean).join(' · ')
    return say('left-kind', { named, count: of })
  })
  const more = came.length > SHOWN ? '…' : ''
  return (
    <Alert
      type="warning"
      showIcon
      style={{ marginBottom: 12 }}
      title={say('left', { count, since: formatInstant(new Date(since)) })}
      description={`${kinds.join(say('left-and'))}${more} ${say('left-help')}`}
      action={
        <Button size="small" onClick={onMend}>
          {say('left-mend')}
        </Button>
      }
    />
  )
}
