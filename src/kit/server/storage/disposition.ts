import { isShown as isShownByItself } from '#kit/model/upload.ts'
import type { Called } from './store.ts'

/** RFC 8187 allows fewer characters than encodeURIComponent leaves. */
export const encodeName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, character => `%${character.charCodeAt(0).toString(16)}`)

/** Pictures and films, which cannot carry a script, are shown; everything else is saved. */
export const dispositionOf = ({ name, type }: Called, isShown = isShownByItself(type)): string =>
  `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeName(name)}`
