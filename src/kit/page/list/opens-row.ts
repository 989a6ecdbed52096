import type { MouseEvent } from 'react'

/** What a click on a row is meant for, if not for the row: anything that is pressed itself, and words being marked. */
const PRESSED = 'button, a, input, label, textarea, select, .ant-table-selection-column, .ant-image, [role="button"]'

/** Whether a click was meant for the row. */
export function opensRow({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  // Menus of the row stand elsewhere on the page, and still tell the row of their clicks.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false
  return target.closest(PRESSED) === null && (getSelection()?.toString() ?? '') === ''
}
