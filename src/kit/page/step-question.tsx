import { Skeleton } from 'antd'
import { lazy, type RefObject, Suspense } from 'react'
import { CODES } from '#kit/model/contract.ts'
import type { Resource } from '#kit/model/resource.ts'
import { ASKED_ID, asksForMore, enteredWith, isAskedFirst, isUndoable } from '#kit/model/workflow.ts'
import { type ForAll, openOf } from './bulk/matching.ts'
import { CallFailed, post } from './call.ts'
import { deedOf, doOnce } from './deed.ts'
import { formatCount, formatFen } from './figures.ts'
import type { StepForm } from './form/step-fields.tsx'
import { loadStepFields } from './forms.ts'
import { hasText, type Say, say as sayIn } from './language.ts'
import type { Row } from './list/list-state.ts'
import type { locale } from './locale.ts'
import type { Notices } from './notice.tsx'
import type { useQuestion } from './question.ts'
import { ErrorBoundary } from './shell/failure/error-boundary.tsx'
import { hasPictures, openCount, openSum, StepMatter } from './step-matter.tsx'
import type { AnyWorkflow, StepOptions, StepResult } from './step-types.ts'
import type { TabHandle } from './tab.ts'
import { takeBack } from './take-back.ts'

const MatchingMatter = lazy(async () => ({ default: (await import('./bulk/matching-matter.tsx')).MatchingMatter }))
// Not every step asks for something: forms come when one does.
const StepFields = lazy(async () => ({ default: (await loadStepFields()).StepFields }))

const BULK = 'kit/page/bulk'

/** What the page lends to a question. */
type Asking = {
  readonly resource: Resource
  readonly workflow: AnyWorkflow | undefined
  readonly options: StepOptions
  readonly kit: Say<keyof (typeof locale)['zh-CN']>
  readonly say: Say
  readonly ask: ReturnType<typeof useQuestion>
  readonly notices: Notices
  readonly tab: TabHandle
  readonly form: RefObject<StepForm | null>
}
type Wanted = { name: string; ids: readonly string[]; rows: readonly Row[]; all: ForAll | undefined }

/** Takes steps and says what became of them. */
function stepTaker({ resource, workflow, options, kit, say, notices, tab, form }: Asking) {
  const path = `/${resource.screen.name}`

  /** What happened, where it can be looked at, and for as long as nobody went on from there, how it is taken back. */
  const tellDone = async (name: string, id: string, row: Row | undefined) => {
    const step = workflow?.steps[name]
    // It is done, whether or not it can be said what came of it.
    const outcome = row && (await options.outcome?.(name, row).catch(() => undefined))
    const named = say(`${hasText(resource.screen.name, `done.${name}`) ? 'done' : 'step'}.${name}`)
    const title = row && titleOf(resource, row)
    notices.done([kit('submitted-ok'), outcome ?? named, title].filter(Boolean).join(' · '), {
      open: () => tab.open(`${resource.screen.route}?open=${id}`),
      ...(step && isUndoable(step) ? { undo: () => void undo(name, id, row) } : {}),
    })
  }

  const undo = async (name: string, id: string, row: Row | undefined) => {
    try {
      await takeBack(resource, name, id)
      const what = kit('undone', { what: say(`step.${name}`) })
      notices.done([what, row && titleOf(resource, row)].filter(Boolean).join(' · '), {
        open: () => tab.open(`${resource.screen.route}?open=${id}`),
      })
      options.done()
    } catch (error) {
      notices.failed(error, kit('submit-failed'))
      options.refused()
    }
  }

  /** What goes on without the person: how many, of what, and where it is found again. */
  const tellBegun = (name: string, count: number) => {
    const open = { label: sayIn(BULK, 'my-tasks'), run: () => tab.open('/account/settings/exports') }
    const what = say(`step.${name}`)
    notices.told(sayIn(BULK, 'begun', { count: formatCount(count), what }), [open])
  }

  const take = async (name: string, ids: readonly string[], row: Row | undefined, { deed, all, leave }: Taking) => {
    const step = workflow?.steps[name]
    // As it was shown, whatever else may wait by now.
    const shown = step && ASKED_ID in step.input ? { [ASKED_ID]: row?.askedId } : {}
    const body = { ...(await form.current?.read()), ...shown }
    const [id] = ids
    try {
      if (all) {
        // Told anew it is another deed: other rows match.
        await doOnce(`${deed} ${all.told.seal}`, key => all.confirm(body, key))
        tellBegun(name, openOf(all))
        options.done()
      } else if (id !== undefined && ids.length === 1) {
        // What is published or thrown away is the draft that was seen, not the one a colleague saved since.
        const seen = resource.editions ? { version: versionOf(row) } : {}
        await doOnce(deed, idempotencyKey => post(`${path}/${id}/${name}`, { ...body, ...seen }, { idempotencyKey }))
        await tellDone(name, id, row)
        options.done()
      } else {
        const many = (idempotencyKey: string) =>
          post<StepResult[]>(`${path}/steps/${name}`, { ids, ...body }, { idempotencyKey })
        options.done(await doOnce(deed, many))
      }
      form.current?.drop()
    } catch (error) {
      if (error instanceof CallFailed) form.current?.showErrors(error.fields, insteadOf(error, leave))
      notices.failed(error, kit('submit-failed'))
      // A refused step usually means the row has moved on: show how it stands now, and keep the question with its reason.
      options.refused()
      throw error
    }
  }
  /** The way to where it can be asked for; what was typed here goes along or is of no use any more. */
  const insteadOf = ({ instead }: CallFailed, leave: (() => void) | undefined) => {
    if (instead === undefined || !leave) return undefined
    return () => {
      form.current?.drop()
      leave()
      tab.open(instead)
    }
  }
  return take
}

/** One deed, of some rows or of all that match; `leave` closes the question it was asked in. */
type Taking = { readonly deed: string; readonly all?: ForAll | undefined; readonly leave?: () => void }

/** What is under way without a question: pressed twice, it is done once. */
const underWay = new Set<string>()

async function takeAtOnce(asking: Asking, name: string, row: Row): Promise<void> {
  const pressed = `${asking.resource.screen.name} ${name} ${row.id}`
  if (underWay.has(pressed)) return
  underWay.add(pressed)
  try {
    await stepTaker(asking)(name, [row.id], row, { deed: stepDeed(asking.resource, name, [row.id], [row]) })
  } catch {
    // Told already, by whoever took it.
  } finally {
    underWay.delete(pressed)
  }
}

/** Asks about one row, about many, or about all that match, and takes the step; what is easily taken back is not asked about. */
export function askStep(asking: Asking, wanted: Wanted): void {
  const { resource, workflow, options, kit, say, ask, form } = asking
  const { name, ids, rows } = wanted
  const step = workflow?.steps[name]
  const [row] = rows
  if (step && row && ids.length === 1 && !wanted.all && !isAskedFirst(step)) return void takeAtOnce(asking, name, row)
  const take = stepTaker(asking)
  const amount = (step?.amount ?? null) as string | null
  const label = say(`step.${name}`)
  const open = openCount(rows, name, ids.length)
  const sum = openSum(rows, name, amount, ids.length)
  const okText = () => {
    if (all) return textForAll(label, all)
    if (ids.length > 1) return `${label} ${sum === null ? formatCount(open) : formatFen(sum)}`
    return row && amount !== null ? `${label} ${formatFen(amountOf(row, amount))}` : label
  }
  /** Nothing would happen: the question says why, and its button is not offered. */
  const isIdle = () => (all ? openOf(all) === 0 : open === 0)
  const asks = step !== undefined && asksForMore(step)
  const besides = (step?.shows ?? []) as readonly string[]
  // A picture stands beside the other facts, and both are read.
  const isPictured = row !== undefined && ids.length === 1 && hasPictures(resource, row, besides)
  const button = (isIncomplete: boolean) => ({ danger: step?.danger ?? false, disabled: isIncomplete || isIdle() })
  // A step pressed twice is taken once, as one that got no answer; one that was refused may be tried with other words.
  const deed = stepDeed(resource, name, ids, rows)
  const onReason = (isGiven: boolean) => question.update(before => ({ ...before, okButtonProps: button(!isGiven) }))
  let all = wanted.all
  const matter = () =>
    all ? (
      <MatchingMatter told={all.told} />
    ) : (
      <StepMatter
        resource={resource}
        step={name}
        amount={amount}
        rows={rows}
        count={ids.length}
        besides={besides}
        shows={options.shows}
        tells={options.tells}
      />
    )
  const content = () => (
    // What does not come is missing from the question alone: the list below it stands. Nobody decides without it.
    <ErrorBoundary onBroken={() => question.update(before => ({ ...before, okButtonProps: { disabled: true } }))}>
      <Suspense fallback={<Skeleton active title={false} />}>{matter()}</Suspense>
      <p>{say(whatFollows(name, (step?.tells ?? null) as string | null, ids, rows))}</p>
      {step?.back === 'stays' && <p>{kit('stays', { why: say(`stays.${name}`) })}</p>}
      {step && isUndoable(step) && <p>{kit('can-undo')}</p>}
      {step && asks && (
        <Suspense fallback={<Skeleton active />}>
          <StepFields
            resource={resource}
            input={enteredWith(step)}
            row={row}
            form={form}
            inputs={options.inputs}
            isShown={options.isShown}
            onReason={step.reason ? onReason : undefined}
            // A record that has changed since is another question, and so is whatever matches a filter next time.
            draft={all ? undefined : [name, ...ids, ids.length === 1 ? versionOf(row) : ''].join(' ')}
          />
        </Suspense>
      )}
    </ErrorBoundary>
  )
  const question = ask({
    title: label,
    width: isPictured ? 720 : asks ? 560 : 480,
    content: content(),
    okText: okText(),
    okButtonProps: button(step?.reason ?? false),
    // What is asked for comes first; without anything to fill in, the button does.
    ...(asks ? { focusable: { autoFocusButton: null } } : {}),
    cancelText: kit('cancel'),
    onCancel: () => form.current?.drop(),
    onOk: async () => {
      // Without its fields it would be taken with nothing in them.
      if (asks && form.current === null) throw new Error('the fields are not there')
      await take(name, ids, row, { deed, all, leave: () => question.destroy() }).catch(async error => {
        const isPast = error instanceof CallFailed && error.code === CODES.conflict
        // The question was about a record that stands otherwise by now: it is looked at, and asked about again.
        if (isPast && !all) question.destroy()
        if (isPast && all) {
          // Other rows match by now: the question shows them, and waits for another yes.
          all = await all.again()
          question.update({ content: content(), okText: okText() })
        }
        throw error
      })
    },
  })
}

/** The text of what follows: of this case where the records are alike, of every case where they differ or are not known. */
function whatFollows(name: string, tells: string | null, ids: readonly string[], rows: readonly Row[]): string {
  const [only, ...others] = new Set(rows.map(row => (tells === null ? null : row[tells as keyof Row])))
  const isAlike = rows.length > 0 && rows.length === ids.length && others.length === 0
  return isAlike && (typeof only === 'string' || typeof only === 'boolean') ? `ask.${name}.${only}` : `ask.${name}`
}

const textForAll = (label: string, all: ForAll): string =>
  `${label} ${all.told.sumFen === null ? formatCount(openOf(all)) : formatFen(all.told.sumFen)}`

const stepDeed = ({ screen }: Resource, name: string, ids: readonly string[], rows: readonly Row[]): string =>
  deedOf(`${screen.name} ${name}`, ids, rows.map(versionOf))

const versionOf = (row: Row | undefined): unknown => (row as { version?: number } | undefined)?.version ?? ''

const amountOf = (row: Row, field: string): number => Number((row as Record<string, unknown>)[field])

/** What people call the record: its number or name, or that of the record it stands for. */
const titleOf = ({ title }: Resource, row: Row): string =>
  row.labels[title]?.name ?? String((row as Record<string, unknown>)[title])
