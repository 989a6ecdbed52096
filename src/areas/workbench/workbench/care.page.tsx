import { Button } from 'antd'
import { Instant } from '#kit/page/field/show.tsx'
import { formatCount } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { useTab } from '#kit/page/tab.ts'
import type { locale } from './locale.ts'
import { type Care as Cared, QUIET_DAYS, RENEWAL_DAYS } from './model.ts'
import { NAME, Part, RecordLink } from './part.page.tsx'

/** Whom this person sees to today, by name: who was promised a call, whose days end, who has gone quiet. */
export function Care({ care: { kind, count, path, members } }: { care: Cared }) {
  const say = useTexts<typeof locale>(NAME)
  const tab = useTab()
  return (
    <Part
      title={say(`care.${kind}`, { quiet: QUIET_DAYS, renewal: RENEWAL_DAYS })}
      tool={
        path !== null &&
        count > members.length && (
          <Button size="small" onClick={() => tab.open(path)}>
            {say('care-all', { count: formatCount(count) })}
          </Button>
        )
      }
    >
      {members.length === 0 && <p className="bench-quiet">{say(`care-none.${kind}`)}</p>}
      <ul className="bench-rows">
        {members.map(({ id, name, at, said, path: open }) => (
          <li key={id}>
            <div className="bench-told">
              <RecordLink name={name} path={open} />
              {said !== null && <p className="bench-quiet bench-line">{said}</p>}
            </div>
            {at !== null && <span className="bench-quiet">{kind === 'ending' ? at : <Instant at={at} />}</span>}
          </li>
        ))}
      </ul>
    </Part>
  )
}
