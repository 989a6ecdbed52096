import type { Answer, App } from '../app.ts'

/** What a slice must know of records it does not own, and whose owner it does not depend on. */
export type Question<Asked, Told> = { readonly name: string; readonly told?: (asked: Asked) => Told }

/** Declared by the slice that asks, so that it need not know who knows. One slice answers (tools/questions.ts). */
export const defineQuestion = <Asked, Told>(name: string): Question<Asked, Told> => ({ name })

export const answer = <Asked, Told>(
  { name }: Question<Asked, Told>,
  tell: (app: App, asked: Asked) => Promise<Told>,
): Answer => ({ to: name, tell })

/** Asked once for all rows somebody looks at, never row by row: what is asked names them all. */
export function ask<Asked, Told>(app: App, { name }: Question<Asked, Told>, asked: Asked): Promise<Told> {
  const found = app.answers.find(({ to }) => to === name)
  if (!found) throw new Error(`no slice answers ${name}`)
  return found.tell(app, asked as never) as Promise<Told>
}
