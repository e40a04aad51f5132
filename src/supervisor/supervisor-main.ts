// The resident program: `supervisor.js [--sys] [--foreground] [--json] [--metrics-listen=address]
// [--metrics-host=name] [--output=plain|color|json] [manifest…]`, with its data directory in `SUP_DATA_DIR`.
// A guardian adds `--guarded --restarts=count --ended=status`.
// Rules: `docs/behaviour.md`, "One supervisor".
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { ownSoftFiles } from '../os/children/file-limit.ts';
import { dataDirOf, ownEnvironment } from '../os/choose-data-directory.ts';
import { realPlace } from '../os/files/directories.ts';
import { claimSocketPlace } from '../sources/control/socket-place.ts';
import { distrustDataDirectory } from '../sources/store/data-directory.ts';
import { holdDirectory } from '../sources/store/directory-hold.ts';
import { stopInProgress } from '../sources/store/lock.ts';
import type { SupError } from '../streams/domain/errors/error.ts';
import { errorDocument, errorJson } from '../streams/views/errors/error-text.ts';
import { shownLine } from '../streams/views/words/foreign-text.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import { bugText } from '../streams/domain/errors/thrown.ts';
import { EXIT } from '../streams/wire/command-exit-status.ts';
import { listenPlace, type MetricsPlace } from '../sinks/metrics/metrics-listener.ts';
import { runSupervisor } from './run.ts';
import { noClosing, wasShutDown } from './closing-record.ts';
import { guardedBy, type Guarded } from './guardian-report.ts';
import { onUncaught, recordCrash } from './re-execution.ts';
import type { RunOptions, SupervisorOptions } from './supervisor-options.ts';
import { arrivalIn, forgetHandover, handedFailure } from './upgrade/resume.ts';
import { isReExecuted } from './upgrade/program.ts';
import { forgetProgram } from './upgrade/program-copy.ts';
import { trialHere } from './upgrade/prepare-upgrade.ts';

declare const __SUP_VERSION__: string;
/** Fingerprint of the program's files, inserted by the loader that runs the program. */
declare const __SUP_FINGERPRINT__: string;

/** Writes the text as a line. Resolves when it is written or cannot be written; never rejects. */
const say = (text: string, where: NodeJS.WritableStream = process.stderr): Promise<void> =>
  new Promise((settle) => {
    where.write(`${text}\n`, () => settle());
  });

const refuse = (error: SupError): Promise<void> => {
  const document = errorDocument(error);
  const { code, message, hint } = document;
  return say(
    process.argv.includes('--json')
      ? errorJson(document)
      : `${code} ${shownLine(message)}\n  ${shownLine(hint ?? '')}`,
  );
};

/** Returns the soft limit of open files, from the parent's argument or `/proc`. */
const softFiles = (): number | undefined => {
  const [, told] = /^--soft-files=(\d+)$/m.exec(process.argv.join('\n')) ?? [];
  return told === undefined ? ownSoftFiles() : Number(told);
};

const STOP_MS = 50;

/**
 * Acquires the data directory. If a command is just stopping services without a supervisor, a restarted
 * supervisor waits for its end instead of exiting.
 */
const hold = async (
  dataDir: string,
  sys: boolean,
  guarded: Guarded | undefined,
): ReturnType<typeof holdDirectory> => {
  for (;;) {
    const outcome = await holdDirectory(dataDir, { sys });
    const waits = outcome.tag === 'held' && (guarded?.restarts ?? 0) > 0;
    if (!waits || stopInProgress(dataDir) === undefined) return outcome;
    await pause(STOP_MS);
  }
};

/**
 * Acquires the data directory, and the directory of the control socket unless an upgrade has handed the
 * socket over.
 */
const claim = async (
  { dataDir, sys, environment }: RunOptions,
  { guarded, arrival }: Pick<SupervisorOptions, 'guarded' | 'arrival'>,
): ReturnType<typeof holdDirectory> => {
  const outcome = await hold(dataDir, sys, guarded);
  if (outcome.tag !== 'acquired' || arrival !== undefined) return outcome;
  const uid = process.getuid?.() ?? 0;
  const runtimeDir = environment['XDG_RUNTIME_DIR'];
  const error = claimSocketPlace({ layout: layoutOf(dataDir), runtimeDir, uid, sys });
  if (error === undefined) return outcome;
  outcome.hold.release();
  return { tag: 'unusable', error };
};

const STYLES = ['plain', 'color', 'json'] as const;

const consoleStyle = (): (typeof STYLES)[number] | undefined =>
  STYLES.find((style) => process.argv.includes(`--output=${style}`));

const valuesOf = (flag: string): readonly string[] =>
  process.argv.filter((word) => word.startsWith(flag)).map((word) => word.slice(flag.length));

const metricsPlace = (): MetricsPlace | undefined => {
  const [written] = valuesOf('--metrics-listen=');
  const place = written === undefined ? undefined : listenPlace(written);
  return place && { ...place, names: valuesOf('--metrics-host=') };
};

const optionsFor = (
  place: Pick<SupervisorOptions, 'dataDir' | 'sys' | 'environment'>,
  origin: Pick<SupervisorOptions, 'guarded' | 'arrival'>,
): SupervisorOptions => {
  const foreground = process.argv.includes('--foreground');
  const launcher = join(import.meta.dirname, 'launcher.cjs');
  const manifests = process.argv.slice(2).filter((word) => word.startsWith('/'));
  const version = __SUP_VERSION__;
  const metricsListen = metricsPlace();
  const ffi = place.environment['SUP_FFI'] !== 'off';
  return {
    ...{ ...place, ...origin, foreground, launcher, manifests, version, fingerprint: __SUP_FINGERPRINT__ },
    ...{ ffi, softFiles: softFiles(), console: consoleStyle() },
    ...(metricsListen && { metricsListen }),
  };
};

/**
 * Removes the records that earlier supervisors left for a re-exec or restart and that a new process must not
 * use.
 */
const forgetEarlier = ({ dataDir, guarded }: Pick<SupervisorOptions, 'dataDir' | 'guarded'>): void => {
  forgetHandover(dataDir);
  if (guarded?.restarts !== 0) return;
  forgetProgram(dataDir);
  if (!wasShutDown({ dataDir })) noClosing({ dataDir, guarded });
};

const main = async (): Promise<number> => {
  const environment = ownEnvironment();
  const sys = process.argv.includes('--sys');
  const written = dataDirOf(environment, { sys, directory: process.cwd() });
  const dataDir = realPlace(written);
  const place = { dataDir, sys, environment };
  if (process.argv.includes('--trial')) {
    await say(JSON.stringify(trialHere(place, __SUP_VERSION__)), process.stdout);
    return EXIT.done;
  }
  const strange = sys ? distrustDataDirectory(dataDir, written) : undefined;
  if (strange !== undefined) {
    await refuse(strange);
    return EXIT.failed;
  }
  const arrival = arrivalIn(process.argv);
  const guarded = guardedBy(process.argv, process.ppid);
  const outcome = await claim(place, { guarded, arrival });
  if (outcome.tag === 'held') {
    await refuse({ code: 'ERR0702', dataDir, pid: outcome.by });
    return EXIT.held;
  }
  if (outcome.tag === 'unusable') {
    await refuse(outcome.error);
    return EXIT.failed;
  }
  if (arrival === undefined && !isReExecuted()) forgetEarlier({ dataDir, guarded });
  return runSupervisor(optionsFor(place, { guarded, arrival }), outcome.hold).catch((error: unknown) => {
    recordCrash(dataDir, bugText('unhandled', error));
    throw error;
  });
};

// This handler applies until the supervisor runs. From then on, an uncaught error re-executes the supervisor.
onUncaught((error) => void say(bugText('unhandled', error)));
// The reader of the output may be gone. Without a listener, a failed write would be an uncaught error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    handedFailure(error);
    // The write is not awaited, because a reader that is stuck must not delay the next supervisor.
    void say(bugText('unhandled', error));
    // After an upgrade services are running, so the guardian must restart the supervisor (`EXIT.broken`).
    process.exit(process.argv.some((word) => word.startsWith('--handover=')) ? EXIT.broken : EXIT.failed);
  },
);
