import { Button, Tooltip } from 'antd'
import { choicesOf, fieldMeta } from '#kit/model/field.ts'
import type { Resource } from '#kit/model/resource.ts'
import type { NeighboursProps } from '../detail/neighbours.tsx'
import type { Told } from '../detail/story.tsx'
import type { Inputs, IsShown } from '../form/inputs.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { recordPath } from '../screens.ts'
import { StepButtons } from '../step.tsx'
import { useTab } from '../tab.ts'
import { DetailDrawer, FormDrawer } from './drawers.tsx'
import type { Row } from './list-state.ts'
import type { RowLink } from './row-link.ts'
import type { Listed } from './use-list.ts'

type DrawerProps = Told & {
  list: Listed
  isUnderWay: ((row: Row) => boolean) | undefined
  links(row: Row): readonly RowLink[]
}

export function RecordDrawer({ list, links, ...told }: DrawerProps) {
  const tab = useTab()
  const { openId, open } = list
  return (
    <DetailDrawer
      {...told}
      onSettled={list.reload}
      id={openId}
      onClose={() => open(undefined)}
      pageOf={id => pageAddress(told.resource, tab.search, id)}
      {...neighboursOf(list, openId, open)}
      actions={row => <RecordActions {...told} list={list} row={row} links={links(row)} />}
    />
  )
}

/** The records before and after this one, as the list stands. */
export function neighboursOf(
  { answer: { rows } }: Listed,
  id: string | undefined,
  open: (id: string) => void,
): NeighboursProps {
  const at = rows.findIndex(row => row.id === id)
  const [before, after] = at < 0 ? [] : [rows[at - 1], rows[at + 1]]
  return { onPrevious: before && (() => open(before.id)), onNext: after && (() => open(after.id)) }
}

/** Where a record of a list has a page to itself; what the list was asked goes along, so that neighbours stay neighbours. */
export function pageAddress({ screen }: Pick<Resource, 'screen'>, search: URLSearchParams, id: string): string {
  const question = new URLSearchParams(search)
  for (const name of ['open', 'edit', 'create']) question.delete(name)
  question.set('of', 'list')
  return `${recordPath(screen.route, id)}?${question}`
}

type ActionsProps = Pick<Told, 'resource' | 'workflow'> & { list: Listed; row: Row; links: readonly RowLink[] }

/** All that may be done with one record: its steps, where else it leads, and its form. */
export function RecordActions({ resource, workflow, list, row, links }: ActionsProps) {
  const kit = useTexts<typeof locale>('kit/page')
  const tab = useTab()
  const others = (
    <>
      {links.map(({ text, path, why }) => (
        <Tooltip key={path} title={why}>
          <Button disabled={why !== undefined} onClick={() => tab.open(path)}>
            {text}
          </Button>
        </Tooltip>
      ))}
      {list.rights.may('update') && <Button onClick={() => list.edit(row.id)}>{kit('edit')}</Button>}
    </>
  )
  if (!workflow) return others
  return (
    <StepButtons resource={resource} workflow={workflow} row={row} onStep={name => list.step(name, [row.id], [row])}>
      {others}
    </StepButtons>
  )
}

type FormProps = Pick<Told, 'resource' | 'shows'> & { list: Listed; inputs: Inputs; isShown: IsShown }

export function RecordForm({ resource, list, shows, inputs, isShown }: FormProps) {
  const tab = useTab()
  const { creating, edited } = list
  return (
    <FormDrawer
      resource={resource}
      inputs={inputs}
      isShown={isShown}
      shows={shows}
      record={creating ? undefined : edited}
      initial={initialValues(resource, inputs, tab.search)}
      open={creating || edited !== undefined}
      onClose={() => tab.change({ create: undefined, edit: undefined, ...(creating ? blanks(resource) : {}) }, 'push')}
      onDone={list.changed}
    />
  )
}

/** A link may open the form with fields already filled: `?create=1&with.orderId=5`. */
const initialValues = (resource: Resource, inputs: Inputs, search: URLSearchParams) =>
  Object.fromEntries(
    askedFields(resource).flatMap(field => {
      const given = search.get(`with.${field}`)
      if (given === null || !isOffered(resource, inputs, field, given)) return []
      return [[field, isFigure(resource, field) ? Number(given) : given]]
    }),
  )
const schemaOf = (resource: Resource, field: string) => resource.record.shape[field] ?? resource.asks[field]
/** An address holds text; an input of figures gives back what it was given. */
const isFigure = (resource: Resource, field: string) => {
  const schema = schemaOf(resource, field)
  return schema !== undefined && ['number', 'money'].includes(fieldMeta(schema).kind)
}
/** What cannot be chosen would stand there as a code, and be refused in the end. */
const isOffered = (resource: Resource, inputs: Inputs, field: string, given: string): boolean => {
  const schema = schemaOf(resource, field)
  const offers =
    inputs[field]?.offers ?? (schema && fieldMeta(schema).kind === 'choice' ? choicesOf(schema) : undefined)
  return offers?.includes(given) ?? true
}
const askedFields = (resource: Resource) => [...resource.create, ...Object.keys(resource.asks)]
const blanks = (resource: Resource) =>
  Object.fromEntries(askedFields(resource).map(field => [`with.${field}`, undefined]))
