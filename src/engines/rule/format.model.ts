import type { Arguments, Chained, Expression, Statement, Tree } from './tree.model.ts'

/** Columns a line may take before what is in its brackets gets a line for each. */
const WIDTH = 80

/** The text of a chain as everybody writes it. Words, literals and remarks stay as they are; only lines and spaces change. */
export function format(tree: Tree): string {
  const lines = tree.statements.map(statement => statementText(statement, isFollowed(tree)))
  return [...lines, ...tree.tail.map(({ text }) => text)].join('\n')
}

/** The last statement has its semicolon too where it is one of many, so that one can be put behind it. */
const isFollowed = ({ statements }: Tree): boolean => statements.length > 1

function statementText({ target, value }: Statement, isEnded: boolean): string {
  const before = value.comments.before.map(({ text }) => `${text}\n`).join('')
  const name = target && (target.kind === 'placeholder' ? `{{${target.name}}}` : target.name)
  const text = expressionText(value, 0, name === undefined ? 0 : name.length + 3)
  return before + (name === undefined ? '' : `${name} = `) + text + (isEnded ? ';' : '') + behind(value)
}

const behind = ({ comments }: Expression): string => comments.after.map(({ text }) => ` ${text}`).join('')

/** `column` is where the text begins on its line, `indent` where its further lines do. */
function expressionText(expression: Expression, indent: number, column: number): string {
  let text = headText(expression, indent, column)
  for (const chained of expression.chained) text += chainedText(chained, indent, columnAfter(text, column))
  return text
}

const columnAfter = (text: string, column: number): number => {
  const last = text.lastIndexOf('\n')
  return last < 0 ? column + text.length : text.length - last - 1
}

function headText(expression: Expression, indent: number, column: number): string {
  if (expression.kind === 'placeholder') return `{{${expression.name}}}`
  if (expression.kind !== 'call') return expression.name
  return expression.name + argumentsText(expression.args, indent, column + expression.name.length)
}

function chainedText({ name, args, before }: Chained, indent: number, column: number): string {
  if (before.length === 0) return `.${name}${argumentsText(args, indent, column + name.length + 1)}`
  const margin = `\n${' '.repeat(indent + 2)}`
  const remarks = before.map(({ text }) => margin + text).join('')
  return `${remarks}${margin}.${name}${argumentsText(args, indent + 2, indent + name.length + 3)}`
}

function argumentsText({ items, tail }: Arguments, indent: number, column: number): string {
  const flat = items.every(isPlain) && tail.length === 0 ? `(${items.map(flatText).join(', ')})` : undefined
  if (flat !== undefined && (column + flat.length <= WIDTH || items.every(isLiteral))) return flat
  const margin = ' '.repeat(indent + 2)
  const lines = items.map((item, place) => {
    const before = item.comments.before.map(({ text }) => `${margin}${text}\n`).join('')
    const comma = place < items.length - 1 ? ',' : ''
    const text = expressionText(item, indent + 2, indent + 2)
    return `${before}${margin}${text}${comma}${behind(item)}\n`
  })
  return `(\n${lines.join('')}${tail.map(({ text }) => `${margin}${text}\n`).join('')}${' '.repeat(indent)})`
}

/** A line for each literal would make a long text no shorter. */
const isLiteral = ({ kind }: Expression): boolean => kind === 'text' || kind === 'number'

/** Without remarks anywhere in it: it can stand on one line. */
const isPlain = ({ args, chained, comments }: Expression): boolean =>
  comments.before.length + comments.after.length === 0 &&
  [args, ...chained.map(each => each.args)].every(({ items, tail }) => tail.length === 0 && items.every(isPlain)) &&
  chained.every(({ before }) => before.length === 0)

const flatText = (expression: Expression): string => {
  const inBrackets = ({ items }: Arguments): string => `(${items.map(flatText).join(', ')})`
  const head =
    expression.kind === 'placeholder'
      ? `{{${expression.name}}}`
      : expression.name + (expression.kind === 'call' ? inBrackets(expression.args) : '')
  return head + expression.chained.map(({ name, args }) => `.${name}${inBrackets(args)}`).join('')
}
