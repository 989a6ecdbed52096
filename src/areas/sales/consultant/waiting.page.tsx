import { Empty, Flex } from 'antd'
import { formatInstant } from '#kit/model/time.ts'
import { useTexts } from '#kit/page/language.ts'
import { Passed } from './decisions.page.tsx'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import type { WaitingGroup } from './rules.model.ts'

/** What nobody could be given yet, rule by rule, and why. */
export function WaitingLeads({ groups }: { groups: readonly WaitingGroup[] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (groups.length === 0) return <Empty description={say('waiting-none')} />
  return (
    <Flex vertical gap={12}>
      {groups.map(({ rule, count, since, passed }) => (
        <div key={rule}>
          <strong>{rule ?? say('waiting-no-rule')}</strong>{' '}
          {say('waiting-count', { count, since: formatInstant(new Date(since)) })}
          {passed.length > 0 && (
            <div className="inkstone-note">
              <Passed passed={passed} />
            </div>
          )}
        </div>
      ))}
    </Flex>
  )
}
