import type { Language } from '#kit/model/language.ts'
import { figureIn, formatCount, formatFen, formatYuan } from '#kit/model/money.ts'
import type { Refusal } from '#kit/model/refusal.ts'
import { dayOf, formatInstant } from '#kit/model/time.ts'
import { type Html, html, pageOf } from '#kit/server/http/page.ts'
import { PageAnswer } from '#kit/server/http/route.ts'
import { CODE_DIGITS, CODE_MINUTES, isCodeOpen, type Link } from './link.model.ts'
import type { Shown, ShownLine } from './reading.server.ts'

type Say = (key: string, params?: Readonly<Record<string, string | number>>) => string

/** Of a link that shows nothing: why, and what to do. */
export function refusedPage(language: Language, say: Say, { code, params }: Refusal, status: number): PageAnswer {
  const body = html`<div class="sheet"><h1>${say('closed')}</h1><p>${say(code, params)}</p></div>`
  return new PageAnswer(pageOf(language, say('closed'), body), status)
}

type Page = {
  readonly language: Language
  readonly say: Say
  /** What lines say, in the words of the console. */
  readonly entry: (key: string) => string
  readonly shown: Shown
  readonly link: Link
  readonly now: Date
  readonly token: string
  /** Whether it stands at its own address, or answers one of its forms, one step below. */
  readonly at: 'page' | 'form'
  readonly refusal?: Refusal
}

export function shownPage(page: Page, status: number): PageAnswer {
  const { say, shown, refusal } = page
  const figure = (text: string) => figureIn(page.language, text)
  const title = say('title', { month: shown.month })
  const body = html`${refusal && html`<section class="told" role="alert">${say(refusal.code, refusal.params)}</section>`}
<section>
<h1>${title}</h1>
<p class="quiet">${shown.company} · ${shown.statementNo}</p>
<dl>
${fact(say('total'), figure(formatFen(shown.totalFen)))}
${fact(say('counted'), figure(formatCount(shown.counted)))}
${fact(say('not-counted'), figure(formatCount(shown.notCounted)))}
${fact(say('adjusted'), figure(formatFen(shown.adjustedFen)))}
${fact(say('reckoned'), formatInstant(shown.reckonedAt).slice(0, 16))}
</dl>
</section>
${shown.status === 'DRAFT' ? agreeing(page) : agreed(page)}
<section><h2>${say('lines')}</h2>${linesOf(page)}</section>
<p class="quiet">${say('whose')}</p>`
  return new PageAnswer(pageOf(page.language, title, body), status)
}

const fact = (name: string, value: string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

function agreed({ say, shown }: Page): Html {
  const at = shown.confirmedAt === null ? '' : formatInstant(shown.confirmedAt).slice(0, 16)
  return html`<section class="good"><h2>${say('confirmed')}</h2><p>${say('confirmed-by', { name: shown.confirmedName ?? '', at })}</p></section>`
}

/** First a code is sent for, then it is entered: two plain forms. */
function agreeing({ language, say, shown, link, now, token, at }: Page): Html {
  const total = figureIn(language, formatFen(shown.totalFen))
  const to = (form: string) => (at === 'page' ? `${token}/${form}` : form)
  const seen = html`<input type="hidden" name="seen" value="${shown.digest}">`
  const isOpen = isCodeOpen(link, shown.digest, now)
  const asking = html`<form method="post" action="${to('code')}">${seen}<button${isOpen && html` class="second"`}>${say(isOpen ? 'send-again' : 'send')}</button></form>`
  if (!shown.hasContact) return html`<section><h2>${say('agree')}</h2><p>${say('contact-gone')}</p></section>`
  return html`<section><h2>${say('agree')}</h2>
<p>${say(isOpen ? 'sent-to' : 'how', { phone: shown.phone, minutes: CODE_MINUTES })}</p>
${
  isOpen &&
  html`<form method="post" action="${to('confirm')}">${seen}
<label>${say('name')}<input name="name" required maxlength="50" autocomplete="name"></label>
<label>${say('code')}<input name="code" required inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]*" maxlength="${CODE_DIGITS + 2}"></label>
<p class="quiet">${say('means', { total })}</p>
<p><button>${say('confirm', { total })}</button></p></form>`
}
${asking}</section>`
}

function linesOf(page: Page): Html {
  const { say, shown, token, at } = page
  if (shown.lines.length === 0) return html`<p>${say('no-lines')}</p>`
  const here = at === 'page' ? '' : `../${token}`
  const turn = (to: number, key: string) =>
    to >= 1 && to <= shown.pages && html`<a href="${here}?page=${to}">${say(key)}</a>`
  const head = ['happened', 'phone', 'order', 'kind', 'result'].map(
    key => html`<th scope="col">${say(`head.${key}`)}</th>`,
  )
  const sums = ['base', 'amount'].map(key => html`<th scope="col" class="figure">${say(`head.${key}`)}</th>`)
  return html`<div class="wide"><table><thead><tr>${head}${sums}<th scope="col">${say('head.note')}</th></tr></thead>
<tbody>${shown.lines.map(line => lineOf(line, page))}</tbody></table></div>
${shown.pages > 1 && html`<nav>${turn(shown.page - 1, 'previous')}<span>${say('page', { page: shown.page, pages: shown.pages })}</span>${turn(shown.page + 1, 'next')}</nav>`}`
}

/** Each cell knows its head: on a phone there is no head above them. */
function lineOf(line: ShownLine, { say, entry, language }: Page): Html {
  const money = (amount: number) => figureIn(language, formatYuan(amount))
  const cell = (key: string, value: string) => html`<td data-head="${say(`head.${key}`)}">${value}</td>`
  const figure = (key: string, value: string) =>
    html`<td class="figure" data-head="${say(`head.${key}`)}">${value}</td>`
  return html`<tr>${cell('happened', dayOf(line.at))}${cell('phone', line.phone || '–')}${cell('order', line.orderNo ?? '–')}
${cell('kind', line.kind ? entry(`kind.${line.kind}`) : '–')}${cell('result', entry(`entry.${line.entry}`))}
${figure('base', line.baseFen === null || line.baseFen === 0 ? '–' : money(line.baseFen))}${figure('amount', money(line.amountFen))}<td class="note" data-head="${say('head.note')}">${line.note}</td></tr>
`
}
