import { type Address, addressOf, rungsOf, statementOf } from './address.model.ts'
import { type Arguments, type Expression, NO_REMARKS, type Remarks, type Tree, upToLineEnd } from './tree.model.ts'

/** A tree after an edit, and where the thing that was edited stands in it now. */
export type Edited = { readonly tree: Tree; readonly at: Address | undefined }
/** One thing people do to a chain; nothing where it cannot be done. */
export type Edit = (tree: Tree) => Edited | undefined

export const told = (tree: Tree, wanted?: Expression): Edited => ({ tree, at: wanted && addressOf(tree, wanted) })

type Items = Arguments['items']

/** The tree with other things in the brackets of a word. */
export const inBrackets = (tree: Tree, holder: Address, word: number, change: (items: Items) => Items): Tree =>
  changedAt(tree, holder, expression => withItems(expression, word, change))

export const replaced = (tree: Tree, address: Address, by: Expression): Tree => changedAt(tree, address, () => by)

function changedAt(tree: Tree, address: Address, change: (expression: Expression) => Expression): Tree {
  const descend = (expression: Expression, [rung, ...rest]: ReturnType<typeof rungsOf>): Expression =>
    rung
      ? withItems(expression, rung.word, items =>
          items.with(rung.place, descend(items[rung.place] as Expression, rest)),
        )
      : change(expression)
  const at = statementOf(address)
  return {
    ...tree,
    statements: tree.statements.map((statement, place) =>
      place === at ? { ...statement, value: descend(statement.value, rungsOf(address)) } : statement,
    ),
  }
}

function withItems(expression: Expression, word: number, change: (items: Items) => Items): Expression {
  const changed = ({ items, tail }: Arguments): Arguments => ({ items: change(items), tail })
  if (word === 0) return { ...expression, args: changed(expression.args) }
  return {
    ...expression,
    chained: expression.chained.map((each, place) =>
      place === word - 1 ? { ...each, args: changed(each.args) } : each,
    ),
  }
}

/** Without its remarks: those of the whole it becomes a part of. */
export const bare = (expression: Expression): Expression => ({ ...expression, comments: NO_REMARKS })

/** What is left stands where its holder stood. */
export function inPlaceOf(tree: Tree, address: Address, left: Expression, holder: Expression): Edited {
  const heir = inheriting(left, holder.comments)
  return told(replaced(tree, address, heir), heir)
}

/** What takes the place of its holder takes over the holder's remarks; those there is no room for behind it stand before. */
export function inheriting(expression: Expression, holders: Remarks): Expression {
  const own = expression.comments
  const { after, over } = upToLineEnd([...own.after, ...holders.after])
  return { ...expression, comments: { before: [...holders.before, ...own.before, ...over], after } }
}
