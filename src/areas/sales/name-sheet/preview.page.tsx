import { Empty, Pagination, Spin } from 'antd'
import { useState } from 'react'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import type { Standing } from './use-preview.page.tsx'

type Props = {
  readonly standing: Standing
  readonly pages: readonly string[]
  readonly isFetching: boolean
  readonly name: string
}

const NONE = { EMPTY: 'preview-empty', REFUSED: 'preview-refused', FAILED: 'preview-failed' } as const

/** The paper, as large as there is room for; one page at a time. */
export function Preview({ standing, pages, isFetching, name }: Props) {
  const say = useTexts<typeof locale>('sales/name-sheet')
  const [wanted, setWanted] = useState(1)
  const page = Math.min(wanted, Math.max(1, pages.length))
  const shown = pages[page - 1]
  return (
    <section className="name-sheet-preview" aria-label={say('preview')} aria-busy={isFetching}>
      {shown === undefined ? (
        <div className="name-sheet-paper name-sheet-none">
          {standing === 'COMING' || standing === 'SHOWN' ? (
            <Spin />
          ) : (
            <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say(NONE[standing])} />
          )}
        </div>
      ) : (
        <img
          className="name-sheet-paper"
          src={`data:image/svg+xml,${encodeURIComponent(shown)}`}
          alt={say('preview-page', { name, page, pages: pages.length })}
        />
      )}
      {pages.length > 1 && (
        <Pagination simple current={page} pageSize={1} total={pages.length} align="center" onChange={setWanted} />
      )}
    </section>
  )
}
