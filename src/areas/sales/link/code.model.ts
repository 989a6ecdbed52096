/** Without signs that are read as others: codes are also typed. */
const SIGNS = '23456789abcdefghjkmnpqrstuvwxyz'
const LENGTH = 8

/** A code nobody guesses, of whatever chance is given: a whole number below `most`. */
export const newCode = (chance: (most: number) => number): string =>
  Array.from({ length: LENGTH }, () => SIGNS[chance(SIGNS.length)]).join('')
