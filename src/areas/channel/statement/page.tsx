import { get } from '#kit/page/call.ts'
import { Figure } from '#kit/page/field/figure.tsx'
import { RowsLink } from '#kit/page/field/rows-link.tsx'
import { MISSING } from '#kit/page/field/show.tsx'
import { formatCount, formatFen } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import type { locale } from './locale.ts'
import { resource, type Statement, workflow } from './model.ts'

export function Page() {
  const outcome = useOutcome()
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      outcome={outcome}
      shows={{
        periodFrom: ({ periodFrom }: Statement) => periodFrom.slice(0, 7),
        digest: ({ digest }: Statement) => (
          <span className="inkstone-code" style={{ whiteSpace: 'normal', wordBreak: 'break-all' }}>
            {digest ?? MISSING}
          </span>
        ),
        counted: (row: Statement) => <Lines of="counted" row={row} />,
        notCounted: (row: Statement) => <Lines of="notCounted" row={row} />,
      }}
    />
  )
}

/** Reckoned again, a statement says whether its sum moved, and from what to what; changed, whether a code its partner holds is void by that. */
function useOutcome() {
  const say = useTexts<typeof locale>(resource.screen.name)
  return async (step: string, row: { readonly id: string }) => {
    if (step !== 'reckon' && step !== 'deduct') return undefined
    const before = row as Statement
    const { totalFen, linkState } = await get<Statement>(`/${resource.screen.name}/${row.id}`)
    const isVoid = before.linkState === 'ASKED' && linkState !== 'ASKED'
    const [from, to] = [formatFen(before.totalFen), formatFen(totalFen)]
    const sum = before.totalFen === totalFen ? say('reckon-same', { total: to }) : say('reckon-moved', { from, to })
    const told = [...(step === 'reckon' ? [sum] : []), ...(isVoid ? [say('code-void')] : [])]
    return told.length > 0 ? told.join(' · ') : undefined
  }
}

/** A figure that leads to the lines it was counted from. */
function Lines({ of, row }: { of: 'counted' | 'notCounted'; row: Statement }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { route, key } = resource.screen
  return (
    <Figure>
      <RowsLink
        list={{ route: `${route}/${row.id}`, key }}
        query={{}}
        name={say(`field.${of}`)}
        value={formatCount(row[of])}
      />
    </Figure>
  )
}
