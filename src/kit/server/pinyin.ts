/**
 * "zhangwei": lower case without spaces, ü as v, the first character read as a surname. Loaded when first needed: the
 * dictionary is large.
 */
export async function pinyinOf(name: string): Promise<string> {
  const { pinyin } = await import('pinyin-pro')
  return pinyin(name, { toneType: 'none', type: 'array', surname: 'head', v: true }).join('').toLowerCase()
}
