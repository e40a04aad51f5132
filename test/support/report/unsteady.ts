// Names at the end what passed only when it was played again, with what went wrong the first time: a race is not hidden.
import type { Reporter, TestCase } from 'vitest/node';

const nameOf = ({ module, fullName }: TestCase): string => `${module.relativeModuleId} > ${fullName}`;

/** Of a scenario that tells all it knows. */
const MOST_LINES = 12;

const firstFailure = (test: TestCase): string =>
  (test.result().errors?.[0]?.message ?? 'no word of why').split('\n').slice(0, MOST_LINES).join('\n    ');

export default class Unsteady implements Reporter {
  readonly #lines: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky === true) this.#lines.push(`  ${nameOf(test)}\n    ${firstFailure(test)}`);
  }

  onTestRunEnd(): void {
    if (this.#lines.length === 0) return;
    process.stdout.write(`\n Unsteady: passed only when played again\n${this.#lines.join('\n')}\n\n`);
  }
}
