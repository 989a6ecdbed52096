import { useQuery } from '@tanstack/react-query'
import { Flex, Skeleton, Typography } from 'antd'
import { get } from '#kit/page/call.ts'
import { Instant } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { StateTag } from '#kit/page/tone.tsx'
import type { ChainRun } from './chain-run.model.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

/** What chains decided about the lead before the rules were asked, newest first; nothing where none was. */
export function ChainRuns({ id }: { id: string }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'chain-run', id],
    queryFn: ({ signal }) => get<ChainRun[]>(`/${resource.screen.name}/${id}/chain-run`, { signal }),
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active paragraph={{ rows: 1 }} />
  return (
    <Flex vertical gap={4} style={{ marginBlockEnd: 12 }}>
      {data.map(({ id: run, at, edition, chose, to, fault }) => (
        <Flex key={run} gap={8} wrap align="baseline">
          <Instant at={at} />
          <StateTag tone={fault === null ? 'done' : 'failed'}>
            {edition === 0 ? say('chain-shipped') : say('chain-edition', { edition })}
          </StateTag>
          <span>{say(`chain.${chose}`, { to: to ?? '' })}</span>
          {fault !== null && <Typography.Text type="danger">{fault}</Typography.Text>}
        </Flex>
      ))}
    </Flex>
  )
}
