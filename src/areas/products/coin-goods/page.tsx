import { useQuery } from '@tanstack/react-query'
import { get } from '#kit/page/call.ts'
import { Figure } from '#kit/page/field/figure.tsx'
import { formatCount } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { useListState, useRows } from '#kit/page/list/list-state.ts'
import { recordOf } from '#kit/page/screens.ts'
import { useTab } from '#kit/page/tab.ts'
import { StateTag } from '#kit/page/tone.tsx'
import type { locale } from './locale.ts'
import { type CoinGoods, resource, workflow } from './model.ts'

export function Page() {
  const left = useLeft()
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      shows={{ quota: (goods: CoinGoods) => <Quota goods={goods} left={goods.left ?? left[goods.id]} /> }}
    />
  )
}

const NONE: Readonly<Record<string, number>> = {}

/** What is left of the goods on this page, asked for all of them at once: the shelf is not the mall's own. */
function useLeft(): Readonly<Record<string, number>> {
  const isList = recordOf(useTab().path) === undefined
  const { data: rows } = useRows(resource, useListState(), isList)
  const ids = (rows?.records ?? []).map(({ id }) => id)
  const { data } = useQuery({
    queryKey: [resource.screen.name, 'left', ids],
    queryFn: ({ signal }) =>
      get<Record<string, number>>(`/${resource.screen.name}/left`, { query: { ids: ids.join(',') }, signal }),
    enabled: ids.length > 0,
  })
  return data ?? NONE
}

function Quota({ goods, left }: { goods: CoinGoods; left: number | undefined }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <Figure>
      {formatCount(goods.quota)} {left === 0 && <StateTag tone="attention">{say('none-left')}</StateTag>}
      {left !== undefined && left > 0 && (
        <span className="inkstone-note">
          {say(left < goods.quota - goods.sold ? 'left-in-stock' : 'left-of', { left: formatCount(left) })}
        </span>
      )}
    </Figure>
  )
}
