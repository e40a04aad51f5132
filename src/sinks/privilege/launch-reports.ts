// Turns the reports of a launcher into errors of the supervisor.
import type { Duplex } from 'node:stream';
import { errnoOf } from '../../os/errno.ts';
import { INSTALL_FFI } from '../../os/libc/libc.ts';
import type { LaunchReport } from '../../streams/launch/launch-step.ts';
import { refusalOfStep, type LaunchRefusal } from '../../streams/launch/launch-refusal.ts';
import type { Skipped } from '../../streams/domain/service/service-run.ts';

/** Thrown if the program was not run: a setting cannot be provided, or the kernel refused a step. */
export class LaunchRefused extends Error {
  readonly refusal: LaunchRefusal;

  constructor(refusal: LaunchRefusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

/** Thrown if no launcher was started, or the launcher ended without a report. A later attempt may succeed. */
export class NotLaunched extends LaunchRefused {
  constructor(detail: string) {
    super({ code: 'ERR0745', key: 'launcher', detail });
  }
}

/** Thrown if all steps were done but the exec failed. `code`: the errno name, such as `ENOENT`. */
export class ProgramRefused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`exec: ${code}`);
    this.code = code;
  }
}

const failureOf = (report: LaunchReport): Error | undefined => {
  if (report.tag === 'refused') return new LaunchRefused(refusalOfStep(report.step, report));
  if (report.tag === 'no-program') return new ProgramRefused(report.code);
  if (report.tag === 'helpless') return new NotLaunched(`${report.detail}: ${INSTALL_FFI}`);
  return undefined;
};

/** Returns the error that the reports describe, or `undefined` if the launcher executed the program. */
export const failureIn = (reports: readonly LaunchReport[]): Error | undefined => {
  const [failure] = reports.flatMap((report) => failureOf(report) ?? []);
  if (failure !== undefined) return failure;
  return reports.some(({ tag }) => tag === 'going')
    ? undefined
    : new NotLaunched('the launcher ended before its work was done');
};

/** Returns the steps that the kernel refused and the plan allows to skip, without duplicates. */
export const skippedIn = (reports: readonly LaunchReport[]): readonly Skipped[] => {
  const skipped = reports.flatMap((report) =>
    report.tag === 'skipped' ? [{ key: report.key, detail: report.detail }] : [],
  );
  return skipped.filter(
    ({ key, detail }, at) =>
      skipped.findIndex((other) => other.key === key && other.detail === detail) === at,
  );
};

/** Yields each report until the channel closes. It closes when the launcher executes the program, or ends. */
export async function* reportsOf(channel: Duplex): AsyncGenerator<LaunchReport> {
  const text = new TextDecoder();
  let begun = '';
  try {
    for await (const chunk of channel) {
      const lines = `${begun}${text.decode(chunk as Uint8Array, { stream: true })}`.split('\n');
      begun = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as LaunchReport;
    }
  } catch (error) {
    if (errnoOf(error) !== 'ECONNRESET') throw error;
  }
}
