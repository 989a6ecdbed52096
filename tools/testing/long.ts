/** `npm run test:long`: everything at its full size, where `npm test` takes a part that is chosen to show the same. */
export const IS_LONG: boolean = process.env.INKSTONE_LONG === 'yes'
