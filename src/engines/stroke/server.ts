import { readFile } from 'node:fs/promises'
import { type Glyph, glyphOf, type StrokeData } from './glyph.model.ts'

/** One file for each character (NOTICE.md tells whose): of nine thousand only those that are asked for are ever read. */
const DATA = new URL('../../../node_modules/hanzi-writer-data/', import.meta.url)
const ONE_HAN = /^\p{Script=Han}$/u
/** Some ten kilobytes each; a copybook has fewer characters. */
const KEPT = 600

const kept = new Map<string, Promise<Glyph | undefined>>()

/** How a character is written; nothing where nobody has told. */
export function readGlyph(character: string): Promise<Glyph | undefined> {
  if (!ONE_HAN.test(character)) return Promise.resolve(undefined)
  const glyph = kept.get(character) ?? read(character)
  kept.delete(character)
  kept.set(character, glyph)
  const [oldest] = kept.keys()
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
  return glyph
}

async function read(character: string): Promise<Glyph | undefined> {
  try {
    const text = await readFile(new URL(`${encodeURIComponent(character)}.json`, DATA), 'utf8')
    return glyphOf(character, JSON.parse(text) as StrokeData)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    kept.delete(character)
    throw error
  }
}
