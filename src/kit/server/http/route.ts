import type { Readable } from 'node:stream'
import * as z from 'zod'
import { ID } from '#kit/model/field.ts'
import type { App } from '../app.ts'
import type { Access, Call } from '../call.ts'

/** Bytes of a file, the first and the last of them, of so many. */
export type Part = { readonly first: number; readonly last: number; readonly of: number }

/** An answer that is a file: sent with the filename, code and msg headers of spec §3. */
export class FileAnswer {
  readonly name: string
  readonly type: string
  readonly content: Buffer | Readable
  /** Shown by the browser instead of saved: for what cannot carry a script. */
  readonly inline: boolean
  /** Which bytes of the whole these are, where not all were asked for. */
  readonly part: Part | undefined
  constructor(name: string, type: string, content: Buffer | Readable, inline = false, part?: Part) {
    this.name = name
    this.type = type
    this.content = content
    this.inline = inline
    this.part = part
  }
}

/** An answer that sends the caller's browser elsewhere; never kept, since where to may change. */
export class RedirectAnswer {
  readonly to: string
  constructor(to: string) {
    this.to = to
  }
}

/** An answer that is a page of its own, for people without the console: no script runs on it, and it loads nothing. */
export class PageAnswer {
  readonly html: string
  readonly status: number
  constructor(html: string, status = 200) {
    this.html = html
    this.status = status
  }
}

type Input<P, Q, B> = { readonly params: P; readonly query: Q; readonly body: B }

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below /api, with `:name` for parameters. */
  readonly path: string
  readonly access: Access
  /** Namespace in which refusals of this route find their texts: `area/screen`, or kit. */
  readonly texts: string
  readonly params: z.ZodType
  readonly query: z.ZodType | 'list'
  readonly body: z.ZodType | 'raw' | 'file'
  /** A page is asked for by browsers: what it takes may come as a form, and what is refused is said on a page too. */
  readonly answer: z.ZodType | 'file' | 'elsewhere' | 'page'
  readonly summary: string
  /**
   * True: asks by POST for the sake of what the question says, and changes nothing. False: a GET by which something changes,
   * or leaves that was made by all the rights of its person.
   */
  readonly reads?: boolean
  handle(call: Call, input: Input<unknown, unknown, unknown>): Promise<unknown>
}

const NOTHING = z.strictObject({})

/** Told, or made by who asks first: of the shapes that are derived from a record, most are never asked for in a process. */
type Shape<T> = T | (() => T)
const SHAPES = ['params', 'query', 'body', 'answer'] as const

/** Declares a route with its types. What is not declared is refused: unknown parameters, unknown keys, extra answers. */
export function route<
  A extends Access,
  P extends z.ZodType = typeof NOTHING,
  Q extends z.ZodType | 'list' = typeof NOTHING,
  B extends z.ZodType | 'raw' | 'file' = typeof NOTHING,
>(declared: {
  method: Route['method']
  path: string
  access: A
  texts?: string
  params?: P
  query?: Shape<Q>
  body?: Shape<B>
  answer: Shape<z.ZodType | 'file' | 'elsewhere' | 'page'>
  summary: string
  reads?: boolean
  handle(
    call: Call<A>,
    input: Input<
      z.infer<P>,
      Q extends z.ZodType ? z.infer<Q> : undefined,
      B extends z.ZodType ? z.infer<B> : undefined
    >,
  ): Promise<unknown>
}): Route {
  const made = { texts: 'kit', params: NOTHING, query: NOTHING, body: NOTHING, ...declared }
  for (const name of SHAPES) {
    const shape = made[name]
    if (typeof shape === 'function') makeWhenAsked(made, name, shape)
  }
  return made as Route
}

function makeWhenAsked(of: object, name: string, make: () => unknown): void {
  const get = () => {
    const value = make()
    Object.defineProperty(of, name, { value, enumerable: true })
    return value
  }
  Object.defineProperty(of, name, { get, enumerable: true, configurable: true })
}

/** A slice's routes are made once the application stands. */
export type Routes = (app: App) => Route[]

export const idParams = z.strictObject({ id: z.string().regex(ID) })
