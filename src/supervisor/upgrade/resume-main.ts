// The copy of the old program contains this file. In an upgrade, Node loads it before the new program
// (`docs/reliability.md`, "Upgrade"). If the new program ends before it has taken over, this process executes
// the old program again.
import { readFileSync } from 'node:fs';
import { alarmAfter, execute, keepOnExec } from '../../os/libc/execute.ts';
import {
  takeEarlySignals,
  earlySignalWords,
  recordEarlySignals,
  keepDebuggerClosed,
} from '../../os/early-signals.ts';
import { libcOf, openLibc } from '../../os/libc/libc.ts';
import { ownEnvironment } from '../../os/choose-data-directory.ts';
import { handoverIn } from '../../streams/upgrade/handover.ts';

keepDebuggerClosed(process);
recordEarlySignals(process, process.argv);

const HANDOVER = '--handover=';
/**
 * Half of the time, in s, that the old program has to run again after a failed upgrade. After that time,
 * SIGALRM kills it.
 */
const BEYOND_S = 5;

const file = process.argv.find((word) => word.startsWith(HANDOVER))?.slice(HANDOVER.length) ?? '';
const handover = handoverIn(JSON.parse(readFileSync(file, 'utf8')));
const { deadline = 0, old } = handover ?? {};
let why = 'it ended before it was at work';

const goBack = (): void => {
  const libc = libcOf(openLibc());
  if (libc === undefined || old === undefined) return;
  for (const descriptor of [0, 1, 2]) keepOnExec(libc, descriptor);
  alarmAfter(libc, BEYOND_S * 2);
  const [name = '', ...words] = old.argv;
  const told = [`${HANDOVER}${file}`, `--resumed=${why.replaceAll('\n', ' ')}`, ...earlySignalWords()];
  const argv = [name, ...words, ...told];
  execute(libc, { file: `/proc/self/fd/${old.node}`, argv, environment: ownEnvironment() });
};

const note = (error: unknown): void => {
  why = String(error);
};
const late = setTimeout(
  () => {
    why = 'it was not at work in time';
    process.exit(1);
  },
  Math.max(0, deadline - Date.now()),
);
process.on('exit', goBack);
process.on('uncaughtExceptionMonitor', note);

// The new program uses this object to report that it has taken over, or why it cannot do so.
Reflect.set(globalThis, Symbol.for('sup.handover'), {
  done: (): void => {
    clearTimeout(late);
    process.off('exit', goBack);
    process.off('uncaughtExceptionMonitor', note);
    // The new program may be an older version, which does not read the signals that arrived before it had
    // handlers. They are sent again.
    takeEarlySignals().forEach((name) => process.kill(process.pid, name));
  },
  failed: note,
});
