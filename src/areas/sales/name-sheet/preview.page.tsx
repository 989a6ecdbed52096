import { Empty, Pagination, Spin } from 'antd'
import { useState } from 'react'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'

type Props = {
  readonly pages: readonly string[] | undefined
  readonly isFetching: boolean
  /** Something entered speaks against it, and says so at its field. */
  readonly isRefused: boolean
  readonly name: string
}

/** The paper, as large as there is room for; one page at a time. */
export function Preview({ pages, isFetching, isRefused, name }: Props) {
  const say = useTexts<typeof locale>('sales/name-sheet')
  const [wanted, setWanted] = useState(1)
  const count = pages?.length ?? 0
  const page = Math.min(wanted, Math.max(1, count))
  const shown = pages?.[page - 1]
  const none = say(isRefused ? 'preview-refused' : 'preview-empty')
  return (
    <section className="name-sheet-preview" aria-label={say('preview')} aria-busy={isFetching}>
      {shown === undefined ? (
        <div className="name-sheet-paper name-sheet-none">
          {isFetching ? <Spin /> : <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={none} />}
        </div>
      ) : (
        <img
          className="name-sheet-paper"
          src={`data:image/svg+xml,${encodeURIComponent(shown)}`}
          alt={say('preview-page', { name, page, pages: count })}
        />
      )}
      {count > 1 && <Pagination simple current={page} pageSize={1} total={count} align="center" onChange={setWanted} />}
    </section>
  )
}
