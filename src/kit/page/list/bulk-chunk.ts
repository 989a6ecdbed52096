import { loadTexts } from '../language.ts'

/** With the first chosen row; its texts come along. */
export const loadBulk = () => Promise.all([import('../bulk/bulk-bar.tsx'), loadTexts('kit/page/bulk')])
