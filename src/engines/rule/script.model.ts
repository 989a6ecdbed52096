/** What a script is to a chain: it acts, or it answers yes or no, where to go on, or how often. */
const SCRIPT_TYPES = ['script', 'boolean_script', 'switch_script', 'for_script'] as const
export type ScriptType = (typeof SCRIPT_TYPES)[number]

/** What every script is given. */
export const SCRIPT_GIVEN = ['facts', '_meta', 'defaultContext'] as const

/** What `_meta` tells a script of where it is asked, called as LiteFlow calls it. */
const ASKED_SLOTS = [
  'nodeId',
  'currChainId',
  'tag',
  'cmpData',
  'bound',
  'loopIndex',
  'loopObject',
  'slotIndex',
] as const
export type AskedSlot = (typeof ASKED_SLOTS)[number]

/** And the facts once more. */
export const META_SLOTS = [...ASKED_SLOTS, 'requestData'] as const

/** What `defaultContext` does. */
export const DATA_CALLS = ['getData', 'hasData', 'setData'] as const

/** Words whose meaning is ours to tell. */
export type GivenWord = (typeof SCRIPT_GIVEN)[number] | (typeof META_SLOTS)[number] | (typeof DATA_CALLS)[number]
