import * as z from 'zod'
import { choicesOf, fieldMeta } from '../../src/kit/model/field.ts'
import type { Label, Resource } from '../../src/kit/model/resource.ts'

/** One file of every record that has any. */
export const SAMPLE_FILE = '0198c0de-0000-7000-8000-000000000001'
const AT = '2026-03-01T06:03:00.000Z'

/** A record of any resource with something in every field, as its detail answers it; what differs stands in `part`. */
export function sampleRow(resource: Resource, part: Record<string, unknown> = {}): Record<string, unknown> {
  const entries = Object.entries(resource.record.shape)
  const references = entries.filter(([, schema]) => fieldMeta(schema).kind === 'reference')
  return {
    ...Object.fromEntries(entries.map(([field, schema]) => [field, sampleField(field, schema)])),
    labels: Object.fromEntries(references.map(([field]): [string, Label] => [field, labelOf(field)])),
    steps: {},
    waiting: null,
    ...part,
  }
}

const labelOf = (field: string): Label => ({ id: '9', name: `Named ${field}`, note: null, tone: null })

function sampleField(field: string, schema: z.ZodType): unknown {
  const meta = fieldMeta(schema)
  switch (meta.kind) {
    case 'id':
      return '7'
    case 'version':
      return 1
    case 'money':
    case 'number':
      return Math.max(meta.min, Math.min(meta.max, 7))
    case 'choice':
      return choicesOf(schema)[0]
    case 'instant':
      return AT
    case 'day':
      return '2026-03-01'
    case 'flag':
      return true
    case 'files':
      return [SAMPLE_FILE]
    case 'tags':
      return ['A']
    case 'reference':
      return '9'
    case 'lines':
    case 'detail':
      return sample(schema)
    default:
      return `Some ${field}`
  }
}

/** Something of this shape, with one entry in each list. */
function sample(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return sample(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(Object.entries(schema.shape).map(([name, inner]) => [name, sample(inner as z.ZodType)]))
  if (schema instanceof z.ZodArray) return [sample(schema.element as z.ZodType)]
  if (schema instanceof z.ZodEnum) return schema.options[0]
  if (schema instanceof z.ZodUnion) return sample(schema.options[0] as z.ZodType)
  if (schema instanceof z.ZodLiteral) return schema.value
  if (schema instanceof z.ZodNumber) return 7
  if (schema instanceof z.ZodBoolean) return true
  if (schema instanceof z.ZodRecord) return {}
  if (schema instanceof z.ZodUUID) return SAMPLE_FILE
  return AT
}
