// `sup boot`: manages the entry with which an init system starts the supervisor. Changes only entries that
// sup wrote.
import {
  mendProgram,
  MEND_PATH,
  untrustedPath,
  untrustedProgram,
} from '../../../supervisor/loader/program-trust.ts';
import { type InitSystem, SYSTEM_PATH } from './init-system.ts';
import { initSystemFor } from './find-init-system.ts';
import {
  bootDocument,
  isWell,
  standing,
  statusLines,
  type BootAction,
  type BootReport,
} from './boot-report.ts';
import type { Context, Handler } from '../../context.ts';
import { EXIT, type CommandStatus } from '../../../streams/wire/command-exit-status.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import { exclusive, usageError } from '../../grammar/usage-error.ts';
import { valueOf, type Parsed } from '../../grammar/parsed-line.ts';
import { requireOwn } from '../../directory-owner.ts';
import { printDocument, printLines, remark } from '../../print.ts';
import { confirmed } from '../../render/question.ts';
import { connectIfRunning } from '../../../client/wait-for-supervisor.ts';

/** Resolves to the pids of the running supervisor and its guardian, or to an empty list if none answers. */
const runningPids = async ({ dataDir }: Context): Promise<readonly number[]> => {
  const client = await connectIfRunning(dataDir).catch(() => undefined);
  if (client === undefined) return [];
  client.close();
  const { pid, guardian } = client.hello;
  return guardian === undefined ? [pid] : [pid, guardian.pid];
};

interface Job {
  readonly parsed: Parsed;
  readonly context: Context;
  readonly init: InitSystem;
  readonly before: BootReport;
}

const tell = ({ json, quiet, ...context }: Context, report: BootReport, lines: readonly string[]): void => {
  if (json) printDocument({ ...context, json, quiet }, bootDocument(report));
  else if (!quiet || report.action === 'status') printLines({ ...context, json, quiet }, lines);
};

const refuseStrange = ({ init, before: { installed, ours } }: Job): void => {
  if (installed && !ours) throw failure({ code: 'ERR0603', file: init.where });
};

/** Throws ERR0604 if a value for the boot entry contains characters that the init system would misread. */
const refuseUnwritable = ({ context, init }: Job): void => {
  const { dataDir, world } = context;
  const values = {
    PATH: world.environment['PATH'] ?? '',
    'the data directory (SUP_DATA_DIR)': dataDir,
    'the path of Node': process.execPath,
    'the path of sup': world.supervisor,
  };
  for (const [name, value] of Object.entries(values)) {
    const why = /\p{Cc}/u.test(value)
      ? 'has a control character, such as the end of a line'
      : init.name === 'crontab' && value.includes('\\%')
        ? 'has a backslash before a percent sign, which cron reads in its own way'
        : undefined;
    if (why === undefined) continue;
    const detail = `${name} ${why}: ${JSON.stringify(value)} is not written into ${init.where}; name another path`;
    throw failure({ code: 'ERR0604', detail });
  }
};

/** With `--sys`: throws ERR0605 if users other than root can change the program or a directory of `PATH`. */
const refuseUntrusted = ({ sys, world }: Context): void => {
  if (!sys) return;
  const program = { node: process.execPath, script: world.supervisor };
  const path = [world.environment['PATH'] ?? SYSTEM_PATH, SYSTEM_PATH].join(':');
  const [first, ...more] = [...untrustedProgram(program), ...untrustedPath(path)];
  if (first === undefined) return;
  const detail = more.length === 0 ? first : `${first} (and ${more.length} more: sup doctor --sys)`;
  const mend = first.startsWith('PATH') ? MEND_PATH : mendProgram(program.script);
  throw failure({ code: 'ERR0605', detail, mend });
};

const agreed = async ({ parsed, context, init }: Job, question: string): Promise<boolean> => {
  if (parsed.flags.has('yes')) return true;
  const about = [`${init.where} (${init.name}):`, '', ...init.text.trimEnd().split('\n'), ''];
  const named = valueOf(parsed, 'init');
  const words = [
    'sup boot',
    parsed.operands[0] ?? '',
    ...(named === undefined ? [] : [`--init ${named}`]),
    '--yes',
  ];
  return confirmed(context, { about, question, yes: words.join(' ') });
};

const now = async (
  context: Context,
  before: BootReport,
  changes: Partial<BootReport>,
): Promise<BootReport> => ({
  ...before,
  ...standing(before.init, await runningPids(context)),
  ...changes,
});

const WORDS = {
  written: {
    install: { question: 'Write and enable it?', done: 'written and enabled' },
    remove: { question: 'Take it away?', done: 'removed' },
    state: 'installed',
  },
  packaged: {
    install: { question: 'Enable it?', done: 'enabled' },
    remove: { question: 'Disable it?', done: 'disabled' },
    state: 'enabled',
  },
};

const wordsFor = ({ packaged }: InitSystem): (typeof WORDS)['written'] =>
  WORDS[packaged ? 'packaged' : 'written'];

const install = async (job: Job): Promise<CommandStatus> => {
  const { parsed, context, init, before } = job;
  refuseUnwritable(job);
  if (parsed.flags.has('dry-run')) {
    tell(context, { ...before, dryRun: true }, init.text.trimEnd().split('\n'));
    return EXIT.done;
  }
  refuseStrange(job);
  requireOwn(context);
  refuseUntrusted(context);
  if (isWell(before)) {
    tell(context, before, [`${init.where} is in place already`]);
    return EXIT.done;
  }
  const words = wordsFor(init);
  if (!(await agreed(job, words.install.question))) return EXIT.failed;
  const verified = init.verify();
  init.place();
  const after = await now(context, before, { changed: true, verified });
  tell(context, after, [`${init.where} is ${words.install.done} (${init.name})`]);
  if (!verified) remark(context, 'not verified: the tool for that is not on this machine');
  init.hints().forEach((hint) => remark(context, hint));
  return EXIT.done;
};

const remove = async (job: Job): Promise<CommandStatus> => {
  const { parsed, context, init, before } = job;
  refuseStrange(job);
  const words = wordsFor(init);
  // If a package installed the unit, `remove` only disables the unit. A disabled unit of a package is
  // therefore treated as removed.
  const isThere = init.packaged ? before.enabled : before.installed;
  if (parsed.flags.has('dry-run') || !isThere) {
    const text = isThere
      ? `${init.where} would be ${words.remove.done}`
      : `nothing is ${words.state} (${init.where})`;
    tell(context, { ...before, dryRun: parsed.flags.has('dry-run') }, [text]);
    return EXIT.done;
  }
  if (!(await agreed(job, words.remove.question))) return EXIT.failed;
  init.remove();
  const text = `${init.where} is ${words.remove.done}; a supervisor that runs goes on`;
  tell(context, await now(context, before, { changed: true }), [text]);
  return EXIT.done;
};

const status = ({ context, before }: Job): Promise<CommandStatus> => {
  tell(context, before, statusLines(before));
  return Promise.resolve(isWell(before) ? EXIT.done : EXIT.failed);
};

const ACTIONS: Readonly<Record<BootAction, (job: Job) => Promise<CommandStatus>>> = {
  install,
  remove,
  status,
};

const isAction = (word: string): word is BootAction => Object.hasOwn(ACTIONS, word);

/** Throws a usage error for `status` with `--yes` or `--dry-run`, because `status` changes nothing. */
const refuseIdle = (word: BootAction, { flags }: Parsed): void => {
  if (word === 'status' && (flags.has('yes') || flags.has('dry-run')))
    throw exclusive('sup boot status takes neither --yes nor --dry-run', 'sup boot status');
};

export const boot: Handler = async (parsed, context) => {
  const [word = ''] = parsed.operands;
  if (!isAction(word))
    throw usageError(
      `sup boot does not know "${word}"`,
      'sup boot install, sup boot remove, or: sup boot status',
    );
  refuseIdle(word, parsed);
  const init = initSystemFor(context, valueOf(parsed, 'init'));
  const before: BootReport = {
    ...{ action: word, sys: context.sys, init },
    ...standing(init, await runningPids(context)),
    ...{ changed: false, verified: null, dryRun: false },
  };
  return ACTIONS[word]({ parsed, context, init, before });
};
