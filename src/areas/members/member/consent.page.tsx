import { useQuery } from '@tanstack/react-query'
import { Alert, Checkbox, Flex, Skeleton, Space } from 'antd'
import { PURPOSES } from '#engines/consent/model.ts'
import { get } from '#kit/page/call.ts'
import { ChildList } from '#kit/page/detail/child-list.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { StateTag } from '#kit/page/tone.tsx'
import type { locale } from './consents/locale.ts'
import { child } from './consents/model.ts'
import type { locale as memberLocale } from './locale.ts'
import { type Member, resource } from './model.ts'
import type { ConsentView } from './side.model.ts'

const TONES = { GIVEN: 'done', WITHDRAWN: 'failed' } as const

type Known = Pick<Member, 'consent'>

/** The purposes nobody has agreed to, in words. */
function useMissing({ missing }: Member['consent']): string {
  const say = useTexts<typeof locale>(child.resource.screen.name)
  return missing.map(purpose => say(`purpose.${purpose}`)).join(' · ')
}

/** How old the pupil is, as far as it matters, and what is missing. */
export function ConsentLine({ consent }: Known) {
  const say = useTexts<typeof memberLocale>(resource.screen.name)
  const purposes = useMissing(consent)
  return (
    <Space size={[8, 0]} wrap>
      {say(`age.${consent.ageGroup}`)}
      <span className="inkstone-note">
        {consent.missing.length > 0 ? say('consent-missing', { purposes }) : say('consent-all')}
      </span>
    </Space>
  )
}

/** Who has to agree, and to what still. */
function Needed({ consent }: Known) {
  const say = useTexts<typeof memberLocale>(resource.screen.name)
  const purposes = useMissing(consent)
  const group = consent.ageGroup
  if (consent.missing.length === 0)
    return <Alert type="success" showIcon title={`${say(`age.${group}`)} · ${say('consent-all')}`} />
  return (
    <Alert
      type="warning"
      showIcon
      title={say(`age.${group}`)}
      description={say(`consent-needed.${group}`, { purposes })}
    />
  )
}

/** What stands of each purpose, and every word that was said. */
export function Consents({ row: { id, consent } }: { row: Pick<Member, 'id' | 'consent'> }) {
  const say = useTexts<typeof locale>(child.resource.screen.name)
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'consent', id],
    queryFn: ({ signal }) => get<ConsentView>(`/${resource.screen.name}/${id}/consent`, { signal }),
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  return (
    <>
      <Needed consent={consent} />
      <Flex wrap gap={24} style={{ marginBlock: 16 }}>
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
