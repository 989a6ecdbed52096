import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { choice, code, dictionary, flag, id, instant, optional, personal, reference, text } from '#kit/model/field.ts'
import { consentProof, consentPurpose, resource, saidAs } from '../model.ts'

/** Every word a guardian said about what may be done with a child's data; the last on each purpose stands. */
export const child = defineChild({
  of: resource,
  name: 'consents',
  by: 'memberId',
  table: 'consent',
  record: z.strictObject({
    id: id(),
    memberId: reference('member'),
    purpose: consentPurpose,
    act: choice({ GIVEN: 'done', WITHDRAWN: 'failed' }),
    stands: flag(),
    happenedAt: instant(),
    way: dictionary('CONSENT_WAY'),
    saidAs,
    saidBy: personal('name', 50),
    textVersion: optional(code(40)),
    evidence: optional(text()),
    proof: consentProof(),
    staffId: optional(reference('staff')),
    createdAt: instant(),
  }),
  title: 'purpose',
  list: {
    columns: [
      'purpose',
      'act',
      'stands',
      'happenedAt',
      'way',
      'saidAs',
      'saidBy',
      'textVersion',
      'evidence',
      'proof',
      'staffId',
    ],
    filters: ['purpose', 'act', 'stands'],
    sort: [],
    search: [],
  },
})
