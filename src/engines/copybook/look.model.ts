/** Red lines are told from ink by whoever judges a page that was written on (decision 060); greys survive a laser printer. */
export const COLOURS = {
  frame: '#cf4b3f',
  guide: '#eaa39b',
  model: '#1c1f26',
  traced: ['#9fa3a8', '#b4b7bb', '#c6c9cc', '#d3d5d8'],
  /** The stroke that is new in its cell, and those before it. */
  current: '#d6321f',
  before: '#4a4f57',
  words: '#33373d',
  note: '#7a8087',
} as const
/** Of lines, in millimetres. */
export const WIDTHS = { frame: 0.25, guide: 0.13, rule: 0.2 } as const
export const EDGE = 12
