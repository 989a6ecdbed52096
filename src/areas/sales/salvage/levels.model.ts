/** How likely somebody is to buy: A wants to, D hardly. */
export const LEVELS = { A: 'done', B: 'busy', C: 'attention', D: 'idle' } as const
