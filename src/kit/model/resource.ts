import * as z from 'zod'
import type { Screen } from './area.ts'
import { type FieldMeta, fieldMeta, version } from './field.ts'
import type { Personal } from './mask.ts'
import type { Waiting } from './waiting.ts'

export type Shape = Readonly<Record<string, z.ZodType>>

/** What a list shows and how it may be asked. Fields not named can be neither filtered nor sorted by. */
export type ListDeclaration<Field extends string> = {
  readonly columns: readonly Field[]
  /** Columns that belong to another: where there is no room for one, its value stands below the other's instead of not at all. */
  readonly below?: Readonly<Partial<Record<Field, Field>>>
  /** The first three stand on the bar, the rest under "more filters". */
  readonly filters: readonly Field[]
  readonly sort: readonly Field[]
  /** The order nobody asked for: the newest first, unless this says otherwise. */
  readonly usual?: `${Field | 'id'}:${'asc' | 'desc'}`
  /** A choice field whose values become tabs with counts. */
  readonly tabs?: Field
  /** A choice field, also a filter, whose first value says that nothing is wrong: what has any other stands under a tab of its own. */
  readonly exceptions?: Field
  /** Fields the search box looks in; references are looked up by their label. */
  readonly search: readonly Field[]
  /** The numbers of the last days that end so: people read one aloud by its end. Found as whole numbers, by the index those have. */
  readonly ending?: (digits: string, today: string) => readonly string[]
  /** How rows are looked at as pictures, for whoever chooses so: the picture, the one amount people compare, and what stands below. */
  readonly gallery?: { readonly picture: Field; readonly price: Field; readonly facts: readonly Field[] }
  /** The departments whose rows they are stand at the side, to be told apart by. */
  readonly side?: 'department'
  /** Its screen begins with its numbers, and the list stands behind them. */
  readonly behind?: 'numbers'
  /** Rows of other values are no business of this screen: several screens may stand on one table, each on its part. */
  readonly only?: Readonly<Partial<Record<Field, readonly string[]>>>
}

/** Two parts, because the compiler compares what is put together part by part: any record is then a `Resource` by itself. */
export type Resource<S extends Shape = Shape> = Place & Declaration<S>

type Place = {
  readonly screen: Screen & { readonly key: string }
  /** Where its calls are answered, when not at the screen's name: below the record it belongs to (`child.ts`). */
  readonly at?: string
}

type Declaration<S extends Shape> = {
  readonly table: string
  readonly record: z.ZodObject<S>
  /** The field that names one record to people. */
  readonly title: Extract<keyof S, string>
  /** What people need to see of one record before they decide on it: its number, the person, the amount. */
  readonly brief: readonly Extract<keyof S, string>[]
  /** What a decision is made by, in the order people look: stands whole beside the steps. Else whatever needs the width. */
  readonly evidence?: readonly Extract<keyof S, string>[]
  readonly list: ListDeclaration<Extract<keyof S, string>>
  /** Writable fields are listed; none is writable by default. */
  readonly create: readonly Extract<keyof S, string>[]
  readonly edit: readonly Extract<keyof S, string>[]
  /** What is asked for when a record is added and is no field of it: the slice knows what to make of it. */
  readonly asks: Shape
  readonly actions: readonly string[]
  /** `owned`: the table has owner_id and org_id, and a person sees what the scope of the role allows. */
  readonly scope: 'owned' | 'shared'
  /** Besides the owner: whoever stands in this field sees the record as one's own, and so does whoever leads that person. */
  readonly carer?: Extract<keyof S, string>
  readonly care?: Care
  readonly clock?: Clock<Extract<keyof S, string>>
  /** Somebody asked for this, and is told what others decide on it. */
  readonly asked?: Asked<Extract<keyof S, string>>
  readonly tree?: Tree<Extract<keyof S, string>>
  /** What may be edited is drafted first and published under a number (docs/decisions/047). */
  readonly editions?: Editions<Extract<keyof S, string>>
  /** What happens to it, or these actions alone, is kept for three years though it holds no money: it is consent, takes personal data away, or money follows. */
  readonly isKeptLong?: true | readonly string[]
  /** What somebody had or did then: it stays that person's, whoever takes over the work. */
  readonly isPast?: true
  /** What orders or counts other fields and tells nobody anything by itself: lists can show it, a detail does not. */
  readonly internal?: readonly Extract<keyof S, string>[]
}

/** Since when a record is as it is, and how long it may stay so, for the states that must not last. */
export type Clock<Field extends string = string> = {
  readonly since: Field
  readonly hours?: Readonly<Record<string, number>>
  /** Of states whose time depends on who works when: the field that says until when, and the one that names whose time counts. */
  readonly until?: Readonly<Record<string, Field>>
  readonly whose?: Field
}
/** Some of its states must not last. */
export const isTimed = ({ clock }: Pick<Resource, 'clock'>): boolean =>
  clock?.hours !== undefined || clock?.until !== undefined

/**
 * Records that stand below one another, in an order people give them: the table has parent_id, sort, and path, which its
 * trigger `keep_path` writes; how deep they may stand is its constraint `<table>_depth` (docs/decisions/042).
 */
export type Tree<Field extends string = string> = {
  /** The field that names the record above. */
  readonly parent: Field
  /** The place among those below the same record. */
  readonly sort: Field
  /** What stands below what is not people's to say: they order those below the same record. */
  readonly isFixed?: true
  /** One record stands above all others, as a company does above its departments. */
  readonly hasOneRoot?: true
}

/** The record is what was published last. Its editions and its draft stand in a table of their own. */
export type Editions<Field extends string = string> = {
  readonly table: string
  /** The column of that table that names the record. */
  readonly by: string
  /** Of each field that is lines: how one of them is told from the others. */
  readonly lines: Readonly<Partial<Record<Field, LinesOf>>>
}
export type LinesOf = {
  /** What stays the same while a line moves and changes. */
  readonly key: string
  /** What people call a line. */
  readonly name: string
  /** What of a line is compared, each with the key of its name in the slice's texts. */
  readonly parts: Readonly<Record<string, string>>
}

export type Asked<Field extends string = string> =
  /** The person in one field asked; whoever changes the other decides. */
  | { readonly by: Field; readonly state: Field }
  /** Whoever took one of the steps last asked; those who take one of the others answer. */
  | { readonly steps: readonly string[]; readonly answers: readonly string[] }

type Declared<S extends Shape> = Omit<Resource<S>, 'screen' | 'brief' | 'create' | 'edit' | 'asks'> & {
  screen: Screen
  brief?: Resource<S>['brief']
  create?: Resource<S>['create']
  edit?: Resource<S>['edit']
  asks?: Shape
}

/** Declares a record once; calls, pages, export, audit, masking and scope are derived from it. */
export function defineResource<S extends Shape>(resource: Declared<S>): Resource<S> {
  const { key } = resource.screen
  if (key === null) throw new Error(`${resource.screen.name}: a resource needs a screen with a permission key`)
  // A branch somebody sees without what is above it hangs in the air.
  if (resource.tree && resource.scope !== 'shared') throw new Error(`${resource.screen.name}: a tree is everybody's`)
  // Rows of nobody have no department.
  if (resource.list.side && resource.scope !== 'owned') throw new Error(`${resource.screen.name}: nobody's rows`)
  return {
    ...resource,
    screen: { ...resource.screen, key },
    brief: resource.brief ?? [resource.title],
    create: resource.create ?? [],
    edit: resource.edit ?? [],
    asks: resource.asks ?? {},
  }
}

export type RecordOf<R> = R extends Resource<infer S> ? z.infer<z.ZodObject<S>> : never

/** What another record calls itself: shown beside the id that points at it. Personal parts come masked. */
export const label = z.strictObject({
  id: z.string(),
  name: z.string(),
  note: z.string().nullable(),
  tone: z.string().nullable(),
})
export type Label = Readonly<z.infer<typeof label>>

/** A row as lists and details answer it: the record, labels of what it points at, and which steps are open to the asker. */
export type RowOf<R> = RecordOf<R> & {
  readonly labels: Readonly<Record<string, Label>>
  readonly steps: Readonly<Record<string, StepRefusal | null>>
  /** Whom it waits for; nothing where it waits for nobody. */
  readonly waiting?: Waiting | null
  /** What is asked for below it and waits for a decision. */
  readonly askedId?: string
}
export type StepRefusal = { readonly code: string; readonly msg: string }

/** What may stand in a field of its records. */
export const schemaIn = ({ screen, record }: Pick<Resource, 'screen' | 'record'>, field: string): z.ZodType => {
  const schema = record.shape[field]
  if (!schema) throw new Error(`${screen.name} has no field ${field}`)
  return schema
}

export const metaOf = (resource: Resource, field: string): FieldMeta => fieldMeta(schemaIn(resource, field))

/** Whether people tell its records by several amounts: then each needs its name. */
export const hasAmounts = (resource: Resource): boolean =>
  resource.brief.filter(field => metaOf(resource, field).kind === 'money').length > 1

/** The body a create or an edit takes: exactly the writable fields, and for an edit the version that was read. */
export const createBody = (resource: Resource) => z.strictObject(createShape(resource))
export const createShape = (resource: Resource): Shape => ({ ...pick(resource, resource.create), ...resource.asks })
/** Personal data was read masked: left out, it stays as it is. */
export const editBody = (resource: Resource) =>
  z.strictObject({
    ...Object.fromEntries(
      Object.entries(pick(resource, resource.edit)).map(([field, schema]) => [
        field,
        fieldMeta(schema).kind === 'personal' ? schema.optional() : schema,
      ]),
    ),
    version: version(),
  })

const pick = (resource: Resource, fields: readonly string[]): Record<string, z.ZodType> =>
  Object.fromEntries(fields.map(field => [field, schemaIn(resource, field)]))

/** How records of a slice are named and found by others (`reference('staff')`). */
export type Reference = {
  readonly name: string
  readonly table: string
  /** Column that names the record, column shown after it (masked when personal), column whose state it shows. */
  readonly label: {
    readonly name: string
    readonly note: { readonly column: string; readonly personal: Personal | null } | null
    readonly tone: string | null
    /** A picker says its state in words, as its own list does. */
    readonly saysState?: true
  }
  /** Which of them a form offers, and to what day, where a column says so; filters find the others too. */
  readonly offered?: { readonly column: string; readonly values: readonly string[]; readonly until?: string }
  /** Columns the picker searches by prefix. */
  readonly search: readonly string[]
  /** Whose it is: a picker finds it by what they are called too, and names them beside it. */
  readonly whose?: { readonly column: string; readonly to: string }
  readonly scope: 'owned' | 'shared'
  /** The column of the resource's `carer`. */
  readonly carer?: string
  readonly care?: Care
}
/** Where the carer is a group: the table of who belongs to it, and its column that names the group. */
export type Care = {
  readonly table: string
  readonly group: string
  /** What is masked besides what is personal to everybody, as long as the record is in a group's care: nobody has it then. */
  readonly masks?: Readonly<Record<string, Personal>>
}
export const defineReference = (reference: Reference): Reference => reference
