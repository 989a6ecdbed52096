import { createHash } from 'node:crypto'
import type { Language } from '#kit/model/language.ts'

/** Text that is part of a page as it is: it was put together here, of what was escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | null | undefined | false | readonly Part[]

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function textOf(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(textOf).join('')
  if (part === null || part === undefined || part === false) return ''
  return String(part).replace(/[&<>"']/g, sign => SIGNS[sign] as string)
}

/** A piece of a page: whatever is put into it is text, unless it is a piece itself. */
export const html = (pieces: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(pieces.map((piece, at) => piece + (at < parts.length ? textOf(parts[at]) : '')).join(''))

/** The colours, corners and type of the console, by hand: a page of its own loads nothing. */
const STYLE = `
:root { color-scheme: light dark; --ink: #1f2329; --quiet: #5f6670; --line: #e3e6ea; --paper: #fff; --ground: #f4f5f7; --brand: #1167c4; --good: #2e7d46; --wrong: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --quiet: #a2a9b3; --line: #33383f; --paper: #1b1e22; --ground: #121417; --brand: #5aa9f5; --good: #6dc488; --wrong: #f2887f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.6 -apple-system, BlinkMacSystemFont, "Segoe UI", "PingFang SC", "Microsoft YaHei", sans-serif; }
main { max-width: 920px; margin: 0 auto; padding: 24px 16px 64px; }
section, .sheet { background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: 20px; margin: 0 0 16px; }
h1 { font-size: 22px; line-height: 1.3; margin: 0 0 4px; } h2 { font-size: 16px; margin: 0 0 12px; } p { margin: 0 0 12px; }
.quiet { color: var(--quiet); } .told { border-left: 4px solid var(--wrong); } .good { border-left: 4px solid var(--good); }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 12px; margin: 16px 0 0; } dt { color: var(--quiet); font-size: 13px; } dd { margin: 0; font-size: 18px; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: 7px 12px 7px 0; border-bottom: 1px solid var(--line); vertical-align: top; white-space: nowrap; }
td.note { white-space: normal; min-width: 9em; } th { color: var(--quiet); font-weight: 500; font-size: 13px; } .figure { text-align: right; font-variant-numeric: tabular-nums; }
label { display: block; margin: 0 0 12px; } input { display: block; width: 100%; max-width: 320px; margin-top: 4px; padding: 9px 11px; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--quiet); border-radius: 6px; }
button { padding: 10px 18px; font: inherit; border-radius: 6px; border: 1px solid var(--brand); background: var(--brand); color: #fff; cursor: pointer; } button.second { background: transparent; color: var(--brand); }
@media (prefers-color-scheme: dark) { button { color: #1b1e22; } button.second { color: var(--brand); } }
a { color: var(--brand); } nav { display: flex; gap: 16px; margin-top: 12px; } :focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }
@media (max-width: 600px) { td::before { content: attr(data-head); flex: none; color: var(--quiet); font-size: 13px; } thead, td:empty, td.note:empty { display: none; } tr { display: block; padding: 10px 0; border-bottom: 1px solid var(--line); }
  td, .figure, td.note { display: flex; justify-content: space-between; gap: 12px; padding: 2px 0; border: 0; text-align: right; white-space: normal; overflow-wrap: anywhere; } }
@media print { form, nav { display: none; } body { background: none; } section, .sheet { border: 0; padding: 0; } }
`

const styleDigest = createHash('sha256').update(STYLE).digest('base64')

/** Nothing but this page's own style, and forms back to where it came from. */
export const PAGE_POLICY = [
  ...["default-src 'none'", `style-src 'sha256-${styleDigest}'`, "form-action 'self'"],
  ...["base-uri 'none'", "frame-ancestors 'none'"],
].join('; ')

/** A whole page. */
export const pageOf = (language: Language, title: string, body: Html): string =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body><main>${body}</main></body>
</html>
`.text
