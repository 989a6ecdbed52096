/** The few calls we make of the reader of fonts. */
declare module 'fontkit' {
  export type Glyph = { readonly advanceWidth: number; readonly path: { toSVG(): string } }
  export type Font = {
    readonly unitsPerEm: number
    hasGlyphForCodePoint(codePoint: number): boolean
    glyphForCodePoint(codePoint: number): Glyph
  }
  export function create(bytes: Buffer): Font
}
