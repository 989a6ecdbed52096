import type { Page } from 'playwright-core'

/** Amounts and shares of which a part stands on the next line, wherever the page shows them. */
export const brokenFigures = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const { 0: figure, index } of (node.textContent ?? '').matchAll(/[-+]?¥?\d[\d.,]*[.,]\d+%?/g)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + figure.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (lines.size > 1) found.push(`${figure} is broken`)
      }
    return found
  })

/** What of a question runs out of it sideways, and which of its buttons does not stand within the window. */
export const cutQuestion = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const asked = [...document.querySelectorAll<HTMLElement>('.ant-modal-confirm .ant-modal-container')].find(
      ({ offsetParent }) => offsetParent,
    )
    if (!asked) return ['no question']
    const edge = asked.getBoundingClientRect()
    const found = [...asked.querySelectorAll<HTMLElement>('.inkstone-matter *')]
      .filter(part => part.checkVisibility() && part.getBoundingClientRect().right > edge.right)
      .map(part => `${part.textContent || part.tagName} runs out of the question`)
    for (const button of asked.querySelectorAll('.ant-modal-confirm-btns button'))
      if (button.getBoundingClientRect().bottom > Math.min(innerHeight, edge.bottom))
        found.push(`${button.textContent} is out of sight`)
    return found
  })

/** Which buttons another thing covers, or the window does not show. */
export const covered = (page: Page, buttons: string): Promise<string[]> =>
  page.evaluate(
    wanted =>
      [...document.querySelectorAll<HTMLElement>(wanted)]
        .filter(({ offsetWidth }) => offsetWidth > 0)
        .filter(button => {
          const { left, top, width, height } = button.getBoundingClientRect()
          return !button.contains(document.elementFromPoint(left + width / 2, top + height / 2))
        })
        .map(({ textContent }) => textContent),
    buttons,
  )

/** What of a statistic cannot be read as it stands. */
export const cutNumbers = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const numbers = [...document.querySelectorAll<HTMLElement>('.ink-statistic')].find(
      ({ offsetParent }) => offsetParent,
    )
    const body = numbers?.querySelector<HTMLElement>('.ink-numbers :is(.ant-table-body, .ant-table-content)')
    const bar = numbers?.querySelector<HTMLElement>('.inkstone-bar')
    if (!body || !bar) return ['no numbers']
    const found: string[] = []
    const wide = body.scrollWidth - body.clientWidth
    if (wide > 1) found.push(`${wide} px of the table are out of sight`)
    if (bar.offsetHeight > 40) found.push(`the tools take ${bar.offsetHeight} px`)
    body.querySelector('.ant-table-row:last-child')?.scrollIntoView({ block: 'end' })
    await new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    const head = numbers?.querySelector('.ant-table-header')?.getBoundingClientRect()
    if (!head || head.top < bar.getBoundingClientRect().bottom - 1) found.push('the head does not stay below the tools')
    scrollTo(0, 0)
    return found
  })

/** What a thumb does not reach: beyond the edge, under another tool, or too narrow to type in. */
export const unreachable = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const wide = document.documentElement.scrollWidth
    if (wide > screen.width) found.push(`the page is ${wide} px wide`)
    const bar = [...document.querySelectorAll<HTMLElement>('.inkstone-bar')].find(({ offsetParent }) => offsetParent)
    const tools = [
      ...(bar?.querySelectorAll<HTMLElement>('.ant-btn, .ant-select, .ant-picker, .inkstone-search') ?? []),
    ]
      .filter(tool => tool.offsetWidth > 0)
      .map(tool => ({ tool, place: tool.getBoundingClientRect() }))
    for (const { tool, place } of tools) {
      if (place.right > screen.width) found.push(`${tool.textContent} runs out of the page`)
      const over = tools.find(
        other =>
          !other.tool.contains(tool) &&
          !tool.contains(other.tool) &&
          other.place.left < place.right - 1 &&
          place.left < other.place.right - 1 &&
          other.place.top < place.bottom - 1 &&
          place.top < other.place.bottom - 1,
      )
      if (over) found.push(`${tool.textContent} lies over ${over.tool.textContent}`)
    }
    const search = bar?.querySelector<HTMLElement>('.inkstone-search input')
    if (search && search.offsetWidth < 100) found.push(`the search is ${search.offsetWidth} px wide`)
    return found
  })
