/** Begins all of these at once; whoever is done first takes the next of the others, until none of them is left. */
export async function sideBySide(works, others) {
  const left = [...others]
  await Promise.all(
    works.map(async work => {
      for (let next = work; next; next = left.shift()) await next()
    }),
  )
}
