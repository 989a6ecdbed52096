import { Alert, Button, Empty, Flex } from 'antd'
import { Passed } from '#engines/allocation/passed.page.tsx'
import { RowsLink } from '#kit/page/field/rows-link.tsx'
import { Instant } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { area } from '../area.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import type { WaitingGroup } from './rules.model.ts'

type Props = { groups: readonly WaitingGroup[]; onMend(): void }

/** What nobody could be given yet, rule by rule, and why; what no rule takes first, with the way to mend it. */
export function WaitingLeads({ groups, onMend }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (groups.length === 0) return <Empty description={say('waiting-none')} />
  const counted = ({ count, since }: WaitingGroup) => (
    <>
      {say('waiting-since', { count })} <Instant at={since} />
    </>
  )
  const all = groups.reduce((sum, { count }) => sum + count, 0)
  return (
    <Flex vertical gap={12}>
      <RowsLink
        list={area.screens.salvage}
        query={{ status: 'UNASSIGNED' }}
        name={say('title')}
        value={say('waiting-all', { count: all })}
      />
      {groups
        .filter(({ rule }) => rule === null)
        .map(group => (
          <Alert
            key="none"
            type="warning"
            showIcon
            title={
              <>
                {say('waiting-no-rule')} {counted(group)}
              </>
            }
            description={say('left-help')}
            action={
              <Button size="small" onClick={onMend}>
                {say('left-mend')}
              </Button>
            }
          />
        ))}
      {groups
        .filter(({ rule }) => rule !== null)
        .map(group => (
          <div key={group.rule}>
            <strong>{group.rule}</strong> {counted(group)}
            {group.passed.length > 0 && (
              <div className="inkstone-note">
                <Passed passed={group.passed} />
              </div>
            )}
          </div>
        ))}
    </Flex>
  )
}
