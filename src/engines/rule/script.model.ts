/** What a script is to a chain: it acts, or it answers yes or no, where to go on, or how often. */
export const SCRIPT_TYPES = ['script', 'boolean_script', 'switch_script', 'for_script'] as const
export type ScriptType = (typeof SCRIPT_TYPES)[number]
