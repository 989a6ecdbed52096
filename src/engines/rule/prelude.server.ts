/**
 * What a script finds around it. It runs within the sandbox, before the script: `facts` are a copy of what is known,
 * `_meta` and `defaultContext` are called as LiteFlow calls them.
 */
export const PRELUDE = `(() => {
  'use strict'
  const { parse, stringify } = JSON
  const make = Function
  const { hasOwn, assign, create } = Object
  return (code, input) => {
    const { facts, meta } = parse(input)
    const changes = create(null)
    const defaultContext = {
      getData: key => (hasOwn(changes, key) ? changes[key] : hasOwn(facts, key) ? facts[key] : undefined),
      hasData: key => hasOwn(changes, key) || hasOwn(facts, key),
      setData: (key, value) => { changes[String(key)] = value },
    }
    const answer = make('facts', '_meta', 'defaultContext', code)(facts, { ...meta, requestData: facts }, defaultContext)
    return stringify({ answer, changes }) ?? '{}'
  }
})()`
