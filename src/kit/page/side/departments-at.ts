import type { Resource } from '#kit/model/resource.ts'

/** Where the departments of a list are asked for, and under which name they are kept: they go with its rows. */
export const departmentsAt = ({ screen: { name } }: Resource): [path: string, kept: readonly string[]] => [
  `/${name}/departments`,
  [name, 'departments'],
]
