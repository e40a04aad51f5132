// The evaluator: a program, confined by the launcher, that evaluates a JavaScript file. It first denies
// itself exec, which was needed to start it. Then it loads the file and writes the exported value into a
// pipe.
import { closeSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { keepDebuggerClosed } from '../../../os/early-signals.ts';
import { dieWithParent, installFilterEverywhere } from '../../../os/libc/credentials.ts';
import { openLibc } from '../../../os/libc/libc.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import { evaluatorFilter } from './evaluation-steps.ts';
import { assemble } from '../../../streams/launch/seccomp/bpf.ts';
import { RESULT_DESCRIPTOR, type ResultTag } from './evaluator-protocol.ts';

// Saved before the file runs, because the file could replace `JSON.stringify`.
const { stringify } = JSON;

/** Writes the report and closes the pipe. After that the `sup` command ends this process. */
const report = (tag: ResultTag, json: string): void => {
  const bytes = Buffer.from(`{"tag":"${tag}","value":${json}}`);
  for (let at = 0; at < bytes.length;) at += writeSync(RESULT_DESCRIPTOR, bytes, at);
  closeSync(RESULT_DESCRIPTOR);
};

/** Applies the last restrictions. Throws if the kernel refuses one, or the `sup` command has ended. */
const confineFurther = (): void => {
  const opened = openLibc();
  if (opened.tag === 'absent') throw new Error(opened.detail);
  if (process.arch !== 'x64' && process.arch !== 'arm64') throw new Error(`${process.arch} is not known`);
  const parent = process.ppid;
  dieWithParent(opened.libc);
  if (process.ppid !== parent) throw new Error('the command has ended');
  installFilterEverywhere(opened.libc, Buffer.from(assemble(evaluatorFilter(process.arch))));
};

const evaluate = async (path: string): Promise<void> => {
  const { default: value, ...named } = (await import(pathToFileURL(path).href)) as Readonly<
    Record<string, unknown>
  >;
  const json = stringify(value ?? named) as string | undefined;
  if (json === undefined) throw new Error('it exports nothing that JSON can express');
  report('value', json);
};

keepDebuggerClosed(process);
const fail = (error: unknown): void => report('thrown', stringify(messageOf(error)));
process.on('uncaughtException', fail);
try {
  confineFurther();
  evaluate(process.argv[2] ?? '').catch(fail);
} catch (error) {
  report('refused', stringify(messageOf(error)));
}
