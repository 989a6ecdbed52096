import { useQuery } from '@tanstack/react-query'
import { Checkbox, Flex, Skeleton } from 'antd'
import { PURPOSES } from '#engines/consent/model.ts'
import { get } from '#kit/page/call.ts'
import { ChildList } from '#kit/page/detail/child-list.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { StateTag } from '#kit/page/tone.tsx'
import type { locale } from './consents/locale.ts'
import { child } from './consents/model.ts'
import { resource } from './model.ts'
import type { ConsentView } from './side.model.ts'

const TONES = { GIVEN: 'done', WITHDRAWN: 'failed' } as const

/** What stands of each purpose, and every word that was said. */
export function Consents({ row: { id } }: { row: { id: string } }) {
  const say = useTexts<typeof locale>(child.resource.screen.name)
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'consent', id],
    queryFn: ({ signal }) => get<ConsentView>(`/${resource.screen.name}/${id}/consent`, { signal }),
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  return (
    <>
      <Flex wrap gap={24} style={{ marginBlockEnd: 16 }}>
        {PURPOSES.map(purpose => {
          const act = data[purpose]
          return (
            <Flex key={purpose} gap={8} align="center">
              {say(`purpose.${purpose}`)}
              <StateTag tone={act ? TONES[act] : 'idle'}>{say(act ? `act.${act}` : 'never-asked')}</StateTag>
            </Flex>
          )
        })}
      </Flex>
      <ChildList child={child} id={id} />
    </>
  )
}

type Chosen = { value?: string[]; onChange?: (purposes: string[]) => void }

/** A sheet of paper often says yes to several things at once. */
export function PurposesInput({ value = [], onChange }: Chosen) {
  const say = useTexts<typeof locale>(child.resource.screen.name)
  const options = PURPOSES.map(purpose => ({ value: purpose, label: say(`purpose.${purpose}`) }))
  return <Checkbox.Group options={options} value={value} onChange={chosen => onChange?.(chosen)} />
}
