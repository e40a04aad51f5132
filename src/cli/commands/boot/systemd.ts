// The boot entry as a systemd unit. With `KillMode=process`, services continue to run if the supervisor is
// killed, and the next supervisor adopts them. On SIGTERM the supervisor stops its services in order. With
// `Restart=on-failure`, systemd restarts the supervisor after a failure, but not after `sup shutdown`.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { type BootPlace, type InitSystem, isThere, MARKER, supOf, type Tool } from './init-system.ts';
import { replaceFile } from '../../../os/files/replace-file.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import { NODE_WORDS } from '../../../supervisor/loader/program-files.ts';
import { textIfThere } from '../../../os/files/own-file.ts';
import { makeDirectory } from '../../../os/files/directories.ts';

/** Quotes a word of `ExecStart`, and escapes the characters in it that systemd would expand. */
const word = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('%', '%%')
    .replaceAll('$', '$$$$')}"`;

/** Returns an `Environment=` line. In such a line systemd expands only specifiers (`%`). */
const assigned = (name: string, text: string): string =>
  `Environment="${name}=${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('%', '%%')}"`;

const unitSection = ({ sys }: BootPlace): readonly string[] => [
  '[Unit]',
  `Description=sup, the supervisor of ${sys ? 'this machine' : 'this user'}`,
  ...(sys ? ['Wants=network-online.target', 'After=network-online.target'] : []),
  '# It is brought back however often it fails: its services wait for it.',
  'StartLimitIntervalSec=0',
];

/**
 * Returns the `ExecStartPost=` line. The command in it ends when the supervisor has locked the data
 * directory. From that moment every `sup` command finds the supervisor and waits for its answer.
 *
 * `Type=notify` is not used: a supervisor that cannot call the C library could not notify systemd, and
 * systemd would stop it.
 */
const awaitHold = ({ sys }: BootPlace): string => {
  const usual = sys ? '/var/lib/sup' : '$${XDG_DATA_HOME:-$$HOME/.local/share}/sup';
  const held = `[ "$$(cat "$$\{SUP_DATA_DIR:-${usual}}/sup.pid" 2>/dev/null)" = $\{MAINPID} ]`;
  return `ExecStartPost=-/bin/sh -c 'n=0; until ${held} || [ $$((n+=1)) -gt 600 ]; do kill -0 $\{MAINPID} || exit; sleep 0.05; done'`;
};

const serviceSection = (place: BootPlace): readonly string[] => [
  '[Service]',
  'Type=exec',
  assigned('PATH', place.path),
  assigned('SUP_DATA_DIR', place.dataDir),
  `ExecStart=${[place.node, ...NODE_WORDS, supOf(place), 'supervise', ...(place.sys ? ['--sys'] : [])].map(word).join(' ')}`,
  '# The start is over once the supervisor has its data directory: a command waits from then on.',
  awaitHold(place),
  '# Takes up what changed in registered manifests.',
  // A minimal Debian has no /bin/kill, but the shell has a built-in `kill`.
  'ExecReload=/bin/sh -c "kill -HUP ${MAINPID}"',
  '# Services outlive a supervisor that is killed, and the next one takes them over.',
  'KillMode=process',
  'Restart=on-failure',
  'RestartSec=100ms',
  '# Another supervisor has the data directory.',
  'RestartPreventExitStatus=3',
  '# It stops everything in order first.',
  'TimeoutStopSec=5min',
  '# A service that the kernel kills is the business of its own policy.',
  'OOMPolicy=continue',
  'TasksMax=infinity',
  ...(place.sys ? ['Delegate=yes'] : []),
];

export const systemdText = (place: BootPlace): string =>
  [
    `# ${MARKER}; sup boot remove takes it away. Changes belong into a drop-in: systemctl edit.`,
    ...unitSection(place),
    '',
    ...serviceSection(place),
    '',
    '[Install]',
    `WantedBy=${place.sys ? 'multi-user.target' : 'default.target'}`,
    '',
  ].join('\n');

const UNIT = 'sup.service';

interface Systemd {
  readonly place: BootPlace;
  readonly tool: Tool;
  /** Directory of the unit that sup writes. */
  readonly directory: string;
  /** Directory of the units that packages install. */
  readonly packaged: string;
  /** True if the data directory is the one that a supervisor chooses without `SUP_DATA_DIR`. */
  readonly isDefaultData: boolean;
}

const scoped = ({ place: { sys } }: Systemd, ...args: readonly string[]): readonly string[] =>
  sys ? args : ['--user', ...args];

const control = (systemd: Systemd, ...args: readonly string[]): void => {
  const line = scoped(systemd, ...args);
  const { status, stderr } = systemd.tool('systemctl', line);
  if (status === 0) return;
  throw failure({ code: 'ERR0604', detail: `systemctl ${line.join(' ')}: ${stderr.trim() || 'it failed'}` });
};

/**
 * Checks the text with `systemd-analyze`, under the unit's name in a temporary directory. Returns false if
 * the tool is missing; throws ERR0604 if the text is invalid.
 */
const verify = (systemd: Systemd, text: string): boolean => {
  if (!isThere(systemd.tool, 'systemd-analyze')) return false;
  const directory = mkdtempSync(join(tmpdir(), 'sup-boot-'));
  try {
    const file = join(directory, UNIT);
    writeFileSync(file, text);
    const { status, stderr } = systemd.tool('systemd-analyze', [
      ...scoped(systemd, 'verify'),
      '--man=no',
      file,
    ]);
    if (status === 0) return true;
    throw failure({ code: 'ERR0604', detail: `systemd-analyze verify: ${stderr.trim()}` });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

/** Returns a hint if lingering is off, because the user's units then run only while the user is logged in. */
const lingerHints = ({ place }: Systemd): readonly string[] => {
  const { username } = userInfo();
  if (place.sys || existsSync(`/var/lib/systemd/linger/${username}`)) return [];
  return [
    `it begins with your first login and ends with the last one, unless: loginctl enable-linger ${username}`,
  ];
};

const mainPid = (systemd: Systemd): number | undefined => {
  const { stdout } = systemd.tool(
    'systemctl',
    scoped(systemd, 'show', '--property=MainPID', '--value', UNIT),
  );
  const pid = Number(stdout.trim());
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
};

const found = (where: string): string | undefined => {
  const text = textIfThere(where);
  if (text instanceof Error) throw failure({ code: 'ERR0604', detail: text.message });
  return text;
};

/** Writes the unit file; removes it if `text` is `undefined`. */
const write = (where: string, text: string | undefined): void => {
  if (text === undefined) return rmSync(where, { force: true });
  makeDirectory(dirname(where));
  replaceFile(where, text, { backup: false, lasting: 'name' });
};

const isEnabled = (own: Systemd): boolean =>
  own.tool('systemctl', scoped(own, 'is-enabled', UNIT)).status === 0;

/** True if the unit of a package starts the same supervisor and data directory as the unit of sup would. */
const startsTheSame = (packaged: string, { place, isDefaultData }: Systemd): boolean => {
  const own = new Set(systemdText(place).split('\n'));
  const lines = packaged.split('\n').filter((line) => !line.startsWith('Documentation='));
  return (isDefaultData || packaged.includes('SUP_DATA_DIR=')) && lines.every((line) => own.has(line));
};

/**
 * Returns the unit that a package installed for this supervisor, if any. The unit belongs to the package, so
 * it is only enabled and disabled. Without `--sys` it is returned only if it is already enabled: otherwise
 * sup prefers to write a unit that has the user's current `PATH`.
 */
const packagedEntry = (own: Systemd): InitSystem | undefined => {
  const where = join(own.packaged, UNIT);
  const text = found(where);
  if (text === undefined || !startsTheSame(text, own) || !(own.place.sys || isEnabled(own))) return undefined;
  return {
    ...{ name: 'systemd', where, text, packaged: true },
    read: () => text,
    verify: () => verify(own, text),
    place: () => control(own, 'enable', UNIT),
    remove: () => control(own, 'disable', UNIT),
    enabled: () => isEnabled(own),
    started: () => mainPid(own),
    hints: () => lingerHints(own),
  };
};

const shadowHints = ({ packaged }: Systemd): readonly string[] => {
  const where = join(packaged, UNIT);
  return found(where) === undefined ? [] : [`it is used in place of the unit of the package (${where})`];
};

const writtenEntry = (own: Systemd): InitSystem => {
  const where = join(own.directory, UNIT);
  const text = systemdText(own.place);
  return {
    ...{ name: 'systemd', where, text },
    read: () => found(where),
    verify: () => verify(own, text),
    place: () => {
      const before = found(where);
      write(where, text);
      try {
        control(own, 'daemon-reload');
        control(own, 'enable', UNIT);
      } catch (error) {
        write(where, before);
        throw error;
      }
    },
    remove: () => {
      control(own, 'disable', UNIT);
      rmSync(where, { force: true });
      control(own, 'daemon-reload');
    },
    enabled: () => isEnabled(own),
    started: () => mainPid(own),
    hints: () => [...lingerHints(own), ...shadowHints(own)],
  };
};

/**
 * Returns the unit that sup has written, if it exists, because systemd prefers this unit to the unit of a
 * package. Otherwise returns the unit of a package. If there is none, returns a unit that sup can write.
 */
export const systemd = (own: Systemd): InitSystem =>
  (found(join(own.directory, UNIT)) === undefined ? packagedEntry(own) : undefined) ?? writtenEntry(own);
