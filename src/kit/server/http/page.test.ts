import { describe, expect, test } from 'vitest'
import { wishedLanguage } from './answer.ts'
import { html, PAGE_POLICY, pageOf } from './page.ts'

describe('a page of its own', () => {
  test('shows what people wrote as they wrote it, and does nothing of it', () => {
    const name = `<script>alert("1")</script> & 'x'`
    expect(html`<p title="${name}">${name}</p>`.text).toBe(
      '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;</p>',
    )
  })

  test('is put together of pieces, and leaves out what is not there', () => {
    expect(html`<ul>${[1, 2].map(n => html`<li>${n}</li>`)}${false}${null}${undefined}</ul>`.text).toBe(
      '<ul><li>1</li><li>2</li></ul>',
    )
  })

  test('has one style, which its policy allows, and no other', () => {
    const page = pageOf('en-US', 'Statement', html`<p>Hello</p>`)
    expect(page).toContain('<html lang="en-US">')
    expect(page.match(/<style>/g)).toHaveLength(1)
    expect(page).not.toMatch(/style="|<script|src=|href=/)
    expect(PAGE_POLICY).not.toContain('unsafe')
  })
})

test.each([
  ['en-GB,en;q=0.9', 'en-US'],
  ['pt-PT', 'pt-BR'],
  ['zh-Hant-HK', 'zh-TW'],
  ['zh', 'zh-CN'],
  ['fr-FR, de;q=0.8, pt;q=0.5', 'pt-BR'],
  ['fr-FR', undefined],
  ['', undefined],
  ["' or 1=1", undefined],
])('a browser that asks for %s gets %s', (wish, language) => {
  expect(wishedLanguage(wish)).toBe(language)
})
