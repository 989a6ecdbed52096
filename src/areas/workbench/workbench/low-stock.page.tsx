import { Button } from 'antd'
import { formatCount } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { useTab } from '#kit/page/tab.ts'
import type { locale } from './locale.ts'
import type { LowStock as Low } from './model.ts'
import { NAME, Part, RecordLink } from './part.page.tsx'

/** What runs out, the scarcest first. */
export function LowStock({ low: { count, path, products } }: { low: Low }) {
  const say = useTexts<typeof locale>(NAME)
  const tab = useTab()
  return (
    <Part
      title={say('low-stock')}
      tool={
        count > 0 && (
          <Button size="small" onClick={() => tab.open(path)}>
            {say('low-stock-all', { count: formatCount(count) })}
          </Button>
        )
      }
    >
      {count === 0 && <p className="bench-quiet">{say('low-stock-none')}</p>}
      <ul className="bench-rows">
        {products.map(({ id, name, unit, available, warnAt, path: open }) => (
          <li key={id}>
            <div className="bench-told">
              <RecordLink name={name} path={open} />
            </div>
            <strong className={available <= 0 ? 'bench-gone' : 'bench-urgent'}>
              {formatCount(available)} {unit}
            </strong>
            <span className="bench-quiet">{say('low-stock-warn', { warnAt: formatCount(warnAt) })}</span>
          </li>
        ))}
      </ul>
    </Part>
  )
}
