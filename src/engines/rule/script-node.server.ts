import type { NodeType } from './form.model.ts'
import { RuleError } from './rule-error.server.ts'
import type { Sandbox } from './sandbox.server.ts'
import type { Asked, RuleNode } from './scope.server.ts'
import type { AskedSlot, ScriptType } from './script.model.ts'

const ANSWERS: Readonly<Record<ScriptType, NodeType>> = {
  script: 'common',
  boolean_script: 'boolean',
  switch_script: 'switch',
  for_script: 'for',
}

/** The slot a script of this type fits into. */
export const answerOf = (type: ScriptType): NodeType => ANSWERS[type]

/** A script as a node of chains. One that acts answers facts, or puts them aside by `setData`; one that is asked changes nothing. */
export function scriptNode(
  sandbox: Sandbox,
  { type, code }: { readonly type: ScriptType; readonly code: string },
  now: () => Date,
): RuleNode {
  return {
    type: answerOf(type),
    run: async asked => {
      const facts = Object.fromEntries(asked.facts)
      const { answer, changes } = await sandbox.run({
        code,
        facts,
        meta: metaOf(asked),
        now: now(),
        signal: asked.signal,
      })
      if (type === 'script') return withFacts(asked.nodeId, answer, changes)
      if (Object.keys(changes).length > 0) throw new RuleError('answer', `${asked.nodeId}: setData`)
      return answer
    },
  }
}

const metaOf = ({ nodeId, chainId, tag, data, bound, loops }: Asked): Record<AskedSlot, unknown> => ({
  slotIndex: 0,
  nodeId,
  currChainId: chainId,
  tag,
  cmpData: data,
  bound,
  loopIndex: loops[0]?.index,
  loopObject: loops[0]?.item,
})

function withFacts(nodeId: string, answer: unknown, changes: Readonly<Record<string, unknown>>): object {
  if (answer === undefined || answer === null) return changes
  if (typeof answer !== 'object' || Array.isArray(answer)) throw new RuleError('answer', `${nodeId}: script`)
  return { ...changes, ...answer }
}
