import { Button, Flex, InputNumber, Select, Typography } from 'antd'
import { useEffect, useMemo, useRef } from 'react'
import { ShareInput } from '#kit/page/field/input.tsx'
import { ReferencePicker, useLabels } from '#kit/page/field/reference-picker.tsx'
import { formatShare, readWhole, WHOLE } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { whole, words } from '#kit/page/lines/cells.tsx'
import type { Cell, Column } from '#kit/page/lines/column.ts'
import { Lines } from '#kit/page/lines/lines.tsx'
import type { locale } from './locale.ts'
import { evenedOut, GRANT_KINDS, type Grant, type GrantKind, MAX_GRANTS, withRest } from './model.ts'

type Props = { id?: string; value?: Grant[]; onChange?: (grants: Grant[]) => void }

/** The grants of a product, with the shares of its price: the last one takes what the others leave. */
export function GrantsInput({ value: grants = [], onChange, ...given }: Props) {
  const say = useTexts<typeof locale>('engines/entitlement')
  const columns = useMemo(
    (): Column<Grant>[] => [
      { name: 'kind', title: say('grant.kind'), width: 80, tell: ({ kind }) => say(`kind.${kind}`) },
      {
        name: 'name',
        title: say('grant.name'),
        also: ['packageId', 'kitId'],
        paste: NAME.paste,
        cell: cell => <NameCell {...cell} />,
      },
      { name: 'quantity', title: say('grant.quantity'), width: 96, ...whole({ min: 1, max: 1_000_000 }) },
      {
        name: 'validDays',
        title: say('grant.validDays'),
        width: 104,
        paste: readWhole,
        cell: ({ value, given: named, change }) => (
          <InputNumber
            {...named}
            min={1}
            {...WHOLE}
            suffix={say('days')}
            placeholder={say('no-limit')}
            value={value}
            onChange={change}
            style={{ width: '100%' }}
          />
        ),
      },
      {
        name: 'sharePermille',
        title: say('grant.sharePermille'),
        width: 96,
        paste: readShare,
        cell: cell => <ShareCell {...cell} />,
        sum: lines => <SumOfShares sum={sharesOf(lines)} />,
      },
    ],
    [say],
  )
  const blank = (kind: GrantKind): Grant => ({
    kind,
    quantity: 1,
    validDays: null,
    sharePermille: 0,
    packageId: null,
    kitId: null,
    name: say(`kind.${kind}`),
  })
  const adder = (add: (grant: Grant) => void, isFull: boolean) => (
    <Select<GrantKind | null>
      aria-label={say('add-grant')}
      placeholder={say('add-grant')}
      value={null}
      disabled={isFull}
      options={GRANT_KINDS.map(kind => ({ value: kind, label: say(`kind.${kind}`) }))}
      onChange={kind => kind && add(blank(kind))}
      style={{ width: 200 }}
    />
  )
  return (
    <Lines
      {...given}
      value={grants}
      onChange={onChange}
      columns={columns}
      isSorted
      settle={withRest}
      grows={{ max: MAX_GRANTS, add: adder }}
      tools={grants.length > 1 && <Button onClick={() => onChange?.(evenedOut(grants))}>{say('even-out')}</Button>}
    />
  )
}

const NAME = words(100)
const sharesOf = (grants: readonly Grant[]) => grants.reduce((all, { sharePermille }) => all + (sharePermille || 0), 0)

/** Percent of a spreadsheet, with at most one decimal after a point or a comma; a thousandth is the least that is reckoned with. */
const readShare = (text: string): number | undefined => {
  const [, percent, tenth = '0'] = /^(\d{1,3})(?:[.,](\d))? ?%?$/.exec(text.trim()) ?? []
  return percent === undefined ? undefined : Number(percent) * 10 + Number(tenth)
}

/** Of the whole price; what the others leave is nobody's to enter. */
function ShareCell({ value, given, isLast, change }: Cell<Grant, number>) {
  return (
    <ShareInput
      {...given}
      least={0}
      most={1_000}
      disabled={isLast}
      value={value}
      onChange={share => change(share ?? 0)}
    />
  )
}

/** All parts make the whole price. */
function SumOfShares({ sum }: { sum: number }) {
  const say = useTexts<typeof locale>('engines/entitlement')
  const told = formatShare(sum)
  return sum === 1_000 ? told : <Typography.Text type="danger">{say('shares-sum', { sum: told })}</Typography.Text>
}

/** Which course is given, or which kit is sent, and what it is called. */
function NameCell(cell: Cell<Grant, string>) {
  const say = useTexts<typeof locale>('engines/entitlement')
  const { line: grant, give, set, change } = cell
  const usual = say(`kind.${grant.kind}`)
  useNameOfTarget(grant, usual, change)
  const target = TARGETS[grant.kind]
  return (
    <Flex vertical gap={4}>
      {target && (
        <ReferencePicker
          to={target.to}
          {...(grant[target.id] === null ? {} : { value: grant[target.id] as string })}
          onChange={id => set({ [target.id]: id })}
          {...give(target.id, usual)}
        />
      )}
      {NAME.cell(cell)}
    </Flex>
  )
}
const TARGETS: Readonly<Partial<Record<GrantKind, { to: string; id: 'packageId' | 'kitId' }>>> = {
  COURSE: { to: 'course-package', id: 'packageId' },
  GOODS: { to: 'goods-kit', id: 'kitId' },
}

/** A grant is called what its course or kit is called, unless a person named it: lists and details show that name. */
function useNameOfTarget(grant: Grant, usual: string, rename: (name: string) => void): void {
  const id = grant.packageId || grant.kitId
  const [label] = useLabels(TARGETS[grant.kind]?.to ?? '', id ? [id] : [])
  const given = useRef(usual)
  useEffect(function followTarget() {
    if (!label || label.id !== id || given.current === label.name) return
    const isOurs = grant.name === given.current
    given.current = label.name
    if (isOurs && grant.name !== label.name) rename(label.name)
  })
}
