import type { pinyin } from 'pinyin-pro'

/** As the columns beside a name keep it: "linxiaoman" and "lxm". */
export type Spelling = { readonly name_pinyin: string; readonly name_initials: string }

/** Lower case without spaces, ü as v, the first character read as a surname. */
export function spelledBy(read: typeof pinyin, name: string): Spelling {
  const syllables = read(name, { toneType: 'none', type: 'array', surname: 'head', v: true })
    .map(syllable => syllable.trim().toLowerCase())
    .filter(syllable => syllable !== '')
  return { name_pinyin: syllables.join(''), name_initials: syllables.map(([first]) => first).join('') }
}

/** Loaded when first needed: the dictionary is large. */
export const spellingOf = async (name: string): Promise<Spelling> =>
  spelledBy((await import('pinyin-pro')).pinyin, name)
