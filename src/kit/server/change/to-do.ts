import { type Actor, can } from '#kit/model/actor.ts'
import { columnOf } from '#kit/model/field.ts'
import type { Language } from '#kit/model/language.ts'
import type { ToDo } from '#kit/model/to-do.ts'
import { whyNot } from '#kit/model/workflow.ts'
import type { App, ToDos } from '../app.ts'
import type { Call } from '../call.ts'
import type { Row } from '../database/database.ts'
import { withDepartments } from '../list/department-tree.ts'
import { badValue, type Condition, type ListQuery, readListQuery } from '../list/list-query.ts'
import type { Served } from './rules.ts'
import { clockOf, type Hours, hoursOf } from './waiting.ts'

/** Rows are judged one by one by the guard of their step, so no more than this many are looked at, the oldest first. */
const MOST_LOOKED_AT = 500

/** Counted by the guards themselves: what a person is told waits for him is what he can do now. */
export function toDosOf({ app, resource, rules, list }: Served): ToDos | undefined {
  const { workflow } = rules
  const awaited = Object.entries(workflow?.steps ?? {}).filter(([, step]) => step.awaits)
  if (!workflow || awaited.length === 0) return undefined
  const held = (actor: Actor) => awaited.filter(([name]) => can(actor, resource.screen.key, name))

  const lookAt = async (name: string, actor: Actor) => {
    const { from, only } = workflow.steps[name] as (typeof awaited)[number][1]
    const states = workflow.field === null || from === 'any' ? {} : { [workflow.field]: from }
    const oldest: ListQuery = {
      ...readListQuery(resource, {}),
      sort: { field: 'id', descending: false },
      conditions: Object.entries({ ...states, ...only }).map(([field, values]) => oneOf(field, values)),
    }
    const { text, values, read } = list.all(oldest, actor)
    const rows = (await app.db.read.planned(`${text} limit ${MOST_LOOKED_AT + 1}`, values)).map(read)
    const seen = rows.slice(0, MOST_LOOKED_AT)
    const facts = seen.length === 0 ? undefined : await rules.facts?.(app.db.query, seen, app.clock.now())
    const open = seen.filter(row => !whyNot(workflow, name, row, actor, facts?.get(String(row.id))))
    return { open, isMore: rows.length > seen.length }
  }

  return {
    all: (actor, language) =>
      Promise.all(
        held(actor).map(async ([step]) => {
          const { open, isMore } = await lookAt(step, actor)
          return {
            screen: resource.screen.name,
            path: `${resource.screen.route}?todo=${step}`,
            step,
            title: app.texts.text(language, resource.screen.name, `todo.${step}`),
            count: open.length,
            isMore,
            ...longest(resource, workflow.field, open, await hoursOf(app, resource, open)),
          }
        }),
      ),
    async ids(step, actor) {
      if (!held(actor).some(([name]) => name === step)) return undefined
      return (await lookAt(step, actor)).open.map((row: Row) => String(row.id))
    },
  }
}

/** What is late comes before what is only old: each state has a time of its own. */
function longest(resource: Served['resource'], field: string | null, open: readonly Row[], known: Hours) {
  const waits = open.map(row => {
    const { since: oldestAt, ...due } = clockOf(resource, row, field === null ? '' : String(row[field]), known)
    return { oldestAt, ...due }
  })
  const byUrgency = waits.toSorted(
    (one, other) =>
      (one.dueAt ?? LATEST).localeCompare(other.dueAt ?? LATEST) ||
      (one.oldestAt ?? LATEST).localeCompare(other.oldestAt ?? LATEST),
  )
  return byUrgency[0] ?? { oldestAt: null, dueAt: null }
}
const LATEST = '9999'

const oneOf = (field: string, values: readonly string[]): Condition => ({
  field,
  key: `${field}=${values.join()}`,
  sql: bind => `t.${columnOf(field)} = any(${bind(values)}::text[])`,
})

/** Everything that waits for a person, in the order of the menu. */
export async function allToDos(app: App, actor: Actor, language: Language): Promise<ToDo[]> {
  const lists = app.catalogue.screens.flatMap(({ name, key }) => {
    const toDos = key !== null && can(actor, key, 'list') ? app.toDos.get(name) : undefined
    return toDos ?? []
  })
  return (await Promise.all(lists.map(toDos => toDos.all(actor, language)))).flat()
}

/** A list's address, with `todo=<step>` for the rows that wait for the person to take that step. */
export async function readAsked(
  { toDos, clock, db }: Pick<App, 'toDos' | 'clock' | 'db'>,
  resource: Served['resource'],
  { todo, ...asked }: Call['search'],
  actor: Actor,
): Promise<ListQuery> {
  const query = await withDepartments(db, readListQuery(resource, asked, clock.now()))
  if (todo === undefined) return query
  const ids = typeof todo === 'string' ? await toDos.get(resource.screen.name)?.ids(todo, actor) : undefined
  if (!ids) throw badValue('todo')
  const waiting: Condition = {
    field: 'id',
    key: `todo=${ids.join()}`,
    sql: bind => `t.id = any(${bind(ids)}::bigint[])`,
  }
  return { ...query, conditions: [...query.conditions, waiting], tabOnly: undefined }
}
