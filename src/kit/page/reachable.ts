const TAKES_FOCUS = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex="0"]'

/**
 * Columns wider than their place are moved by the arrow keys. Where nothing in the table takes the focus, it does so itself:
 * not every browser lets a part that scrolls be reached without it.
 */
export function makeReachable(around: HTMLElement | null | undefined): void {
  const scroller = around?.querySelector<HTMLElement>('.ant-table-body, .ant-table-content')
  if (!scroller) return
  if (scroller.querySelector(TAKES_FOCUS)) scroller.removeAttribute('tabindex')
  else scroller.tabIndex = 0
}
