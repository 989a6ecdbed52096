import { UserAddOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { wide } from '#kit/page/form/inputs.ts'
import { ImportButton } from '#kit/page/import/import-button.tsx'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { resource, type Staff, workflow } from './model.ts'

const PositionsInput = later(async () => (await import('./positions-input.page.tsx')).PositionsInput)
const HireModal = later(async () => (await import('./hire.page.tsx')).HireModal)
const Belongings = later(async () => (await import('./belongings.page.tsx')).Belongings)
const Spans = later(async () => (await import('./sides.page.tsx')).Spans)
const Handovers = later(async () => (await import('./sides.page.tsx')).Handovers)
const HeldPositions = later(async () => (await import('./sides.page.tsx')).HeldPositions)

/** What is being done stands in the address, where no filter is called so. */
const HIRING = 'with.hire'

export function Page() {
  const tab = useTab()
  const mayHire = useUser(user => mayDo(user, resource.screen.key, 'create'))
  return (
    <>
      <ListPage
        resource={resource}
        workflow={workflow}
        inputs={{ positions: wide(() => <PositionsInput />) }}
        shows={{ positions: ({ spans }: Staff) => <HeldPositions spans={spans} /> }}
        tells={{ employment: ({ id }: Staff) => <Belongings of={id} /> }}
        tabs={[
          { name: 'tab.spans', Show: Spans },
          { name: 'tab.handovers', Show: Handovers },
        ]}
        tools={
          <>
            {mayHire && <HireButton />}
            <ImportButton resource={resource} />
          </>
        }
      />
      {mayHire && tab.search.has(HIRING) && <HireModal onClose={() => tab.change({ [HIRING]: undefined }, 'push')} />}
    </>
  )
}

function HireButton() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const tab = useTab()
  return (
    <Button type="primary" icon={<UserAddOutlined aria-hidden />} onClick={() => tab.change({ [HIRING]: '1' }, 'push')}>
      {say('step.create')}
    </Button>
  )
}
