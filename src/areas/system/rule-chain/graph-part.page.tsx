import { Tag } from 'antd'
import { createContext, Fragment, use } from 'react'
import type { Address } from '#engines/rule/address.model.ts'
import { type Branch, type Part, type Purpose, titleOf } from '#engines/rule/drawing.model.ts'
import type { NodeType } from '#engines/rule/form.model.ts'
import type { locale as ruleLocale } from '#engines/rule/locale.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import type { Mark } from './marks.model.ts'
import { resource } from './model.ts'

type Around = {
  readonly chosen: Address | undefined
  /** What is being carried, and beside what it would be let go. */
  readonly over: { readonly at: Address; readonly side: 'before' | 'after' | 'inside' } | undefined
  readonly names: ReadonlyMap<string, { readonly name: string; readonly type: NodeType | 'chain' }>
  readonly marks: ReadonlyMap<number, Mark>
  readonly faulty: ReadonlySet<number>
  /** It is only looked at. */
  readonly isFixed: boolean
}
export const AroundPart = createContext<Around>({
  chosen: undefined,
  over: undefined,
  names: new Map(),
  marks: new Map(),
  faulty: new Set(),
  isFixed: false,
})

/** What is asked stands in the head of a form, what is done below it. */
const ASKED: ReadonlySet<Purpose> = new Set(['condition', 'choice', 'times', 'each'])

/** A box of the graph: a node, or a form with what it holds. */
export function PartBox({ part, purpose }: { part: Part; purpose?: Purpose }) {
  const { chosen, over, names, marks, faulty, isFixed } = use(AroundPart)
  const { at, expression, branches, said, kept } = part
  const label = useLabel(part, purpose)
  const isForm = branches.length > 0
  const known = isForm ? undefined : names.get(titleOf(expression))
  const mark = marks.get(expression.start)
  const classes = [
    'rule-part',
    isForm ? 'rule-form' : `rule-node rule-is-${known?.type ?? 'unknown'}`,
    over?.at === at && `rule-over-${over.side}`,
    faulty.has(expression.start) && 'rule-faulty',
    mark && (mark.isFailed ? 'rule-failed' : 'rule-done'),
  ]
  return (
    <div
      role="treeitem"
      aria-label={label}
      aria-selected={chosen === at}
      {...(isForm && { 'aria-expanded': true })}
      tabIndex={chosen === at ? 0 : -1}
      data-at={at}
      draggable={!isFixed}
      className={classes.filter(Boolean).join(' ')}
    >
      <div className="rule-head">
        {kept !== undefined && <span className="rule-kept">{`${kept} =`}</span>}
        <strong>{titleOf(expression)}</strong>
        {known && known.name !== titleOf(expression) && <span className="rule-name">{known.name}</span>}
        {branches
          .filter(({ is }) => ASKED.has(is))
          .map(branch => (
            <BranchBox key={branch.key} branch={branch} />
          ))}
        {said.map(({ word, value }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: words may repeat, and are known by their place.
          <Tag key={place} className="rule-said">{`${word} ${value}`}</Tag>
        ))}
        {mark && <RunMark mark={mark} />}
      </div>
      <Body branches={branches.filter(({ is }) => !ASKED.has(is))} />
    </div>
  )
}

const Body = ({ branches }: { branches: readonly Branch[] }) =>
  branches.length > 0 && (
    <div className="rule-body">
      {branches.map(branch => (
        <BranchBox key={branch.key} branch={branch} />
      ))}
    </div>
  )

function BranchBox({ branch: { is, isAbreast, parts } }: { branch: Branch }) {
  const rule = useTexts<typeof ruleLocale>('engines/rule')
  return (
    // biome-ignore lint/a11y/useSemanticElements: what a tree item holds is its group.
    <div role="group" className={`rule-branch rule-${is}`}>
      {is !== 'item' && !ASKED.has(is) && <span className="rule-purpose">{rule(`part.${is}`)}</span>}
      <div className={isAbreast ? 'rule-abreast' : 'rule-row'}>
        {parts.map((part, place) => (
          <Fragment key={part.at}>
            {place > 0 && !isAbreast && <span className="rule-arrow" aria-hidden="true" />}
            <PartBox part={part} purpose={is} />
          </Fragment>
        ))}
      </div>
    </div>
  )
}

function RunMark({ mark: { count, ms, isFailed } }: { mark: Mark }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return <span className="rule-mark">{say(isFailed ? 'mark-failed' : 'mark-done', { count, ms })}</span>
}

/** As a screen reader says it: what it is there for, what it is, what is said about it, how it ran. */
function useLabel({ expression, said, branches, kept }: Part, purpose: Purpose | undefined): string {
  const say = useTexts<typeof locale>(resource.screen.name)
  const rule = useTexts<typeof ruleLocale>('engines/rule')
  const { names, marks, faulty } = use(AroundPart)
  const title = titleOf(expression)
  const known = branches.length > 0 ? undefined : names.get(title)
  const mark = marks.get(expression.start)
  const parts = [
    purpose && purpose !== 'item' && rule(`part.${purpose}`),
    kept !== undefined && `${kept} =`,
    title,
    known && known.name !== title && known.name,
    ...said.map(({ word, value }) => `${word} ${value}`),
    faulty.has(expression.start) && say('mark-faulty'),
    mark && say(mark.isFailed ? 'mark-failed' : 'mark-done', { count: mark.count, ms: mark.ms }),
  ]
  return parts.filter(Boolean).join(', ')
}
