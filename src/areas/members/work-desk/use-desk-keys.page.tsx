import { useMemo } from 'react'
import { useTexts } from '#kit/page/language.ts'
import { COMMAND, useTellKeys } from '#kit/page/page-keys.ts'
import type { locale } from './locale.ts'

type Row = readonly [keys: readonly string[], text: keyof (typeof locale)['zh-CN']]

const OF_PICTURES: readonly Row[] = [
  [['←', '↑', '→', '↓'], 'key.cursor'],
  [['Enter'], 'key.draw'],
  [['G', 'H', 'J'], 'key.tools'],
  [['+', '−'], 'key.zoom'],
  [['V'], 'key.rotate'],
  [['B'], 'key.contrast'],
  [['X'], 'key.readings'],
  [['P'], 'key.picture'],
]
const OF_FILMS: readonly Row[] = [
  [['␣'], 'key.play'],
  [['←', '→'], 'key.second'],
  [['M'], 'key.moment'],
  [['Enter'], 'key.write'],
  [['+', '−'], 'key.speed'],
]
const OF_BOTH: readonly Row[] = [
  [[',', '.'], 'key.marks'],
  [['1 – 9'], 'key.fault'],
  [['Delete'], 'key.remove'],
  [['Esc'], 'key.unchosen'],
  [['0 – 9'], 'key.points'],
  [['Backspace'], 'key.unscored'],
  [['A'], 'key.accept'],
  [['Q – O'], 'key.phrases'],
  [['F'], 'key.words'],
  [['S'], 'key.voice'],
  [['Shift S'], 'key.voice-remove'],
  [['C'], 'key.compare'],
  [[`${COMMAND} Enter`], 'desk.send'],
  [['Z'], 'desk.take-back'],
  [['N'], 'desk.next'],
  [['[', ']'], 'key.held'],
  [['D'], 'desk.send-back'],
  [['K'], 'desk.hand-over'],
  [['L'], 'desk.let-go'],
]

/** The help sheet tells what each key does on the desk. */
export function useDeskKeys(isFilm: boolean): void {
  const say = useTexts<typeof locale>('members/work-desk')
  useTellKeys(
    useMemo(() => {
      const rows = [...(isFilm ? OF_FILMS : OF_PICTURES), ...OF_BOTH]
      return { title: say('keys'), keys: rows.map(([keys, text]) => ({ keys, text: say(text as 'keys') })) }
    }, [say, isFilm]),
  )
}
