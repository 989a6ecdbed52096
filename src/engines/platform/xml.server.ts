import { isStorable } from '#kit/model/storable.ts'
import { unreadable } from './told.server.ts'

/** What an element says: its text, or what stands in it by name; a name that stands there more than once has a list. */
type Xml = string | { readonly [name: string]: Xml | readonly Xml[] }

const MAX_CHARS = 65_536
const MAX_DEPTH = 5
const MAX_ELEMENTS = 500

/**
 * Raw text, the tag that opens or closes an element, or plain text. Nothing else exists here: no attributes, comments, instructions
 * or declarations, so that nothing in a message can name a file, an address or more of itself.
 */
const TOKEN =
  /<!\[CDATA\[(?<raw>[\s\S]*?)\]\]>|<(?<close>\/?)(?<name>[A-Za-z]\w{0,63})\s*(?<empty>\/?)>|(?<plain>[^<]+)/y
const ENTITY = /&(\w*;?)/g
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt;', '<'],
  ['gt;', '>'],
  ['amp;', '&'],
  ['quot;', '"'],
  ['apos;', "'"],
])

type Token = Readonly<Record<string, string | undefined>>
type Open = { readonly name: string; words: string; readonly parts: Map<string, Xml[]> }

/** Reads the plain XML in which the WeChat family writes its messages, within bounds; anything else in it is refused. */
export function readXml(text: string): Xml {
  if (text.length > MAX_CHARS || !isStorable(text)) throw unreadable()
  const root = opened('')
  const path: Open[] = [root]
  let elements = 0
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const token: Token | undefined = TOKEN.exec(text)?.groups
    if (!token) throw unreadable()
    const { raw, plain, name, close, empty } = token
    const inner = path.at(-1) as Open
    if (raw !== undefined) inner.words += raw
    else if (plain !== undefined) inner.words += plainOf(plain)
    else if (name === undefined || (close && empty)) throw unreadable()
    else if (close) endOf(path, name)
    else {
      elements += 1
      if (path.length > MAX_DEPTH || elements > MAX_ELEMENTS) throw unreadable()
      path.push(opened(name))
      if (empty) endOf(path, name)
    }
  }
  const [only, ...others] = [...root.parts.values()].flat()
  if (path.length !== 1 || only === undefined || others.length > 0 || root.words.trim() !== '') throw unreadable()
  return only
}

const opened = (name: string): Open => ({ name, words: '', parts: new Map() })

function endOf(path: Open[], name: string): void {
  const ended = path.pop()
  const outer = path.at(-1)
  if (!ended || !outer || ended.name !== name) throw unreadable()
  outer.parts.set(name, [...(outer.parts.get(name) ?? []), sayingOf(ended)])
}

function sayingOf({ words, parts }: Open): Xml {
  if (parts.size === 0) return words
  // Text between elements is the line breaks a writer sets.
  if (words.trim() !== '') throw unreadable()
  return Object.fromEntries([...parts].map(([name, all]) => [name, all.length === 1 ? (all[0] as Xml) : all]))
}

const plainOf = (text: string): string =>
  text.replace(ENTITY, (_whole, named: string) => {
    const said = ENTITIES.get(named)
    if (said === undefined) throw unreadable()
    return said
  })
