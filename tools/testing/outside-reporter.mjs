import { writeFileSync } from 'node:fs'

/** Writes down what went wrong in no test: a promise nobody waited for, an exception out of a timer. */
export default class OutsideReporter {
  #path = ''

  onInit({ config }) {
    this.#path = config.outputFile.outside
  }

  onTestRunEnd(_modules, errors) {
    const told = errors.map(({ type, name, message, stack, VITEST_TEST_PATH: file, VITEST_TEST_NAME: test }) => ({
      type,
      said: stack || `${name ?? 'Error'}: ${message}`,
      file,
      test,
    }))
    writeFileSync(this.#path, JSON.stringify(told))
  }
}
