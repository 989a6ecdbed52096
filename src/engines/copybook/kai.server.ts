import { readFile } from 'node:fs/promises'
import { create, type Font } from 'fontkit'
import type { Figure } from './drawing.model.ts'
import { figureIn } from './font.server.ts'

/** LXGW WenKai in a hundred parts (NOTICE.md tells whose); each says which characters it has, and few are ever opened. */
const PACKAGE = new URL('../../../node_modules/lxgw-wenkai-webfont/', import.meta.url)
const FACE = /src: url\('\.\/([^']+)'\)[^}]*?unicode-range: ([^;}]+)/g
/** It fills its em by so much more than the stroke data does: beside each other both look alike. */
const SHARE = 0.885
/** Parts kept open; a class has fewer rare characters. */
const KEPT = 12

type Part = { readonly file: string; readonly ranges: readonly (readonly [from: number, to: number])[] }

let parts: Promise<readonly Part[]> | undefined
const opened = new Map<string, Promise<Font>>()

/** The shape of a character as a font of the same hand draws it; nothing where it has none. */
export async function kaiFigure(character: string): Promise<Figure | undefined> {
  const codePoint = character.codePointAt(0) ?? 0
  parts ??= readParts()
  const part = (await parts).find(({ ranges }) => ranges.some(([from, to]) => from <= codePoint && codePoint <= to))
  if (!part) return undefined
  const font = await open(part.file)
  return font.hasGlyphForCodePoint(codePoint) ? figureIn(font, codePoint, SHARE) : undefined
}

async function readParts(): Promise<Part[]> {
  const css = await readFile(new URL('lxgwwenkai-regular.css', PACKAGE), 'utf8')
  return [...css.matchAll(FACE)].map(([, file = '', ranges = '']) => ({
    file,
    ranges: ranges.split(',').map(range => {
      const [from = 0, to = from] = range
        .trim()
        .slice(2)
        .split('-')
        .map(hex => Number.parseInt(hex, 16))
      return [from, to] as const
    }),
  }))
}

function open(file: string): Promise<Font> {
  const font = opened.get(file) ?? readFile(new URL(file, PACKAGE)).then(create)
  opened.delete(file)
  opened.set(file, font)
  const [oldest] = opened.keys()
  if (opened.size > KEPT && oldest !== undefined) opened.delete(oldest)
  return font
}
