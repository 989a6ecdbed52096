/** The few calls we make of the engine. */
declare module 'quickjs-emscripten-core' {
  export type Handle = { readonly dispose: () => void }
  export type Result =
    | { readonly value: Handle; readonly error?: undefined }
    | { readonly error: Handle; readonly value?: undefined }
  export type Context = Handle & {
    readonly undefined: Handle
    readonly evalCode: (code: string, file: string) => Result
    readonly unwrapResult: (result: Result) => Handle
    readonly newString: (text: string) => Handle
    readonly callFunction: (callee: Handle, self: Handle, ...args: Handle[]) => Result
    readonly getString: (handle: Handle) => string
    readonly dump: (handle: Handle) => unknown
  }
  export type Runtime = Handle & {
    readonly setMemoryLimit: (bytes: number) => void
    readonly setMaxStackSize: (bytes: number) => void
    readonly setInterruptHandler: (isOver: () => boolean) => void
    readonly newContext: () => Context
  }
  export type Engine = { readonly newRuntime: () => Runtime }
  export function newQuickJSWASMModuleFromVariant(variant: unknown): Promise<Engine>
}
declare module '@jitl/quickjs-wasmfile-release-sync' {
  const variant: unknown
  export = variant
}
