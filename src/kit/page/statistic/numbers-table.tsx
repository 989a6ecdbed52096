import { Table, type TableColumnType } from 'antd'
import { measuresOf, type StatisticAnswer, type StatisticRow } from '#kit/model/statistic.ts'
import { useTexts } from '../language.ts'
import { useSettings } from '../settings.ts'
import { Definition } from './definition.tsx'
import type { locale } from './locale.ts'
import { formatMeasure } from './measure.ts'
import { NumberLink } from './number-link.tsx'
import { unitOf } from './unit.ts'
import type { Shown } from './use-statistic.ts'

const ON_A_PAGE = 31
/** Of what stands below another, in px. */
const INDENT = 16

/** antd draws the heads a second time, hidden, to measure them: what is in there must not be reached (seen in antd 6.6). */
const restInMeasuring = (head: HTMLElement | null) =>
  void head?.toggleAttribute('inert', head.closest('[aria-hidden="true"]') !== null)

/** The chart's numbers and all others, each leading to its rows, with the whole period below. */
export function NumbersTable({ shown, answer, top }: { shown: Shown; answer: StatisticAnswer; top: number }) {
  const kit = useTexts<typeof locale>('kit/page/statistic')
  const say = useTexts(shown.statistic.screen.name)
  const density = useSettings(settings => settings.density)
  const measures = measuresOf(shown.statistic)
  const value = (row: StatisticRow, measure: string) => row.values[answer.basis]?.[measure] ?? null
  const columns: TableColumnType<StatisticRow>[] = [
    {
      key: 'label',
      title: say(`dimension.${answer.dimension}`),
      dataIndex: 'label',
      render: (label: string, { level = 0 }) => <span style={{ paddingInlineStart: level * INDENT }}>{label}</span>,
      sorter: (a, b) => (a.label < b.label ? -1 : 1),
    },
    ...measures.map(([measure, { kind }]): TableColumnType<StatisticRow> => {
      const name = say(`measure.${measure}`)
      const unit = unitOf(kind) && `(${unitOf(kind)})`
      return {
        key: measure,
        title: (
          <span className="ink-head" ref={restInMeasuring}>
            {name}{' '}
            <span className="ink-unit">
              {unit}
              <Definition shown={shown} measure={measure} />
            </span>
          </span>
        ),
        align: 'right',
        sorter: (a, b) => (value(a, measure) ?? -1) - (value(b, measure) ?? -1),
        sortDirections: ['descend', 'ascend'],
        render: (_, row) => (
          <NumberLink
            shown={shown}
            links={shown.linksTo(answer, measure, row)}
            name={`${row.label}, ${name}`}
            value={formatMeasure(kind, value(row, measure))}
          />
        ),
      }
    }),
  ]
  const total = answer.totals[answer.basis]?.now
  return (
    <Table<StatisticRow>
      className="inkstone-table ink-numbers"
      rowKey={row => row.key ?? ''}
      size={density}
      columns={columns}
      dataSource={[...answer.rows]}
      pagination={
        answer.rows.length > ON_A_PAGE ? { pageSize: ON_A_PAGE, size: 'small', showSizeChanger: false } : false
      }
      // As wide as its place: long heads take a second line before a column goes out of sight.
      tableLayout="auto"
      scroll={{ x: true }}
      sticky={{ offsetHeader: top }}
      summary={() => (
        <Table.Summary.Row className="ink-sum">
          <Table.Summary.Cell index={0}>{kit('total')}</Table.Summary.Cell>
          {measures.map(([measure, { kind }], index) => (
            <Table.Summary.Cell key={measure} index={index + 1} align="right">
              <NumberLink
                shown={shown}
                links={shown.linksTo(answer, measure)}
                name={`${kit('total')}, ${say(`measure.${measure}`)}`}
                value={formatMeasure(kind, total?.[measure] ?? null)}
              />
            </Table.Summary.Cell>
          ))}
        </Table.Summary.Row>
      )}
    />
  )
}
