import qrcode from 'qrcode-generator'
import type { Code } from './drawing.model.ts'

/** A code of level M: read also where a seventh of it is smudged. As large as the link needs. */
export function codeOf(link: string): Code {
  const code = qrcode(0, 'M')
  code.addData(link)
  code.make()
  const places = Array.from({ length: code.getModuleCount() }, (_, at) => at)
  return places.map(row => places.map(column => code.isDark(row, column)))
}

/** The same as rows of a record, dark as 1. */
export const squaresOf = (link: string): string[] =>
  codeOf(link).map(row => row.map(isDark => (isDark ? '1' : '0')).join(''))
