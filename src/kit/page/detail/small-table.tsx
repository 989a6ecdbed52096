import { Empty, Table, type TableProps } from 'antd'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { makeReachable } from '../reachable.ts'

type Props<T> = Omit<TableProps<T>, 'dataSource' | 'loading' | 'pagination'> & {
  /** None yet while they are being read. */
  rows: readonly T[] | undefined
  /** Where the server gives one page at a time. */
  page?: { current: number; size: number; total: number; onChange(current: number): void }
  empty?: string
}

/** The rows on a side of a detail, paged only when there is more than one page. */
export function SmallTable<T extends object>({ rows, page, empty, ...table }: Props<T>) {
  const kit = useTexts<typeof locale>('kit/page')
  const description = empty ?? kit('empty-related')
  return (
    <Table<T>
      ref={table => makeReachable(table?.nativeElement)}
      rowKey="id"
      size="small"
      loading={!rows}
      dataSource={rows ?? []}
      scroll={{ x: 'max-content' }}
      locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={description} /> }}
      pagination={
        page
          ? {
              current: page.current,
              pageSize: page.size,
              total: page.total,
              onChange: page.onChange,
              size: 'small',
              hideOnSinglePage: true,
              showSizeChanger: false,
            }
          : false
      }
      {...table}
    />
  )
}
