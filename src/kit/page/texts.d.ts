declare module 'virtual:texts' {
  type Bundle = { texts: Record<string, Record<string, string>> }
  /** Late parts of the kit, whose texts come by themselves. */
  export const late: readonly string[]
  export const loaderOf: (language: string, bundle: string) => (() => Promise<Bundle>) | undefined
}
