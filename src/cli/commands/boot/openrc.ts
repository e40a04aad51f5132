// The boot entry as an OpenRC service, which runs the guardian. With `--sys` only: OpenRC has no user
// services.
import { shellWord } from '../../../os/shell-word.ts';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BootPlace, guardedLine, type InitSystem, MARKER, type Tool } from './init-system.ts';
import { replaceFile } from '../../../os/files/replace-file.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import { textIfThere } from '../../../os/files/own-file.ts';

export const openrcText = (place: BootPlace): string => {
  const [program = '', ...args] = guardedLine(place).map(shellWord);
  return `#!/sbin/openrc-run
# ${MARKER}; sup boot remove takes it away.
description="sup, the supervisor of this machine"
command=${program}
command_args="${args
    .join(' ')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('$', String.raw`\$`)
    .replaceAll('`', '\\`')}"
command_background=yes
pidfile=/run/sup-boot.pid
# It stops everything in order first. Nothing is killed that does not end: services outlive their supervisor.
retry="TERM/300"
extra_started_commands="reload"
export PATH=${shellWord(place.path)}
export SUP_DATA_DIR=${shellWord(place.dataDir)}

depend() {
  need localmount
  use net
}

reload() {
  start-stop-daemon --signal HUP --pidfile "$pidfile"
}
`;
};

interface OpenRc {
  readonly place: BootPlace;
  readonly tool: Tool;
  /** The directory `/etc`; tests use another one. */
  readonly etc: string;
}

const update = (tool: Tool, ...args: readonly string[]): void => {
  const { status, stderr } = tool('rc-update', args);
  if (status === 0) return;
  throw failure({ code: 'ERR0604', detail: `rc-update ${args.join(' ')}: ${stderr.trim() || 'it failed'}` });
};

const readText = (file: string): string | undefined => {
  const found = textIfThere(file);
  return found instanceof Error ? undefined : found;
};

export const openrc = ({ place, tool, etc }: OpenRc): InitSystem => {
  const where = join(etc, 'init.d/sup');
  const text = openrcText(place);
  return {
    name: 'openrc',
    where,
    text,
    read: () => readText(where),
    verify: () => {
      const { status, stderr } = tool('sh', ['-n'], { input: text });
      if (status !== 0) throw failure({ code: 'ERR0604', detail: `sh -n: ${stderr.trim()}` });
      return true;
    },
    place: () => {
      replaceFile(where, text, { backup: false, lasting: 'name' });
      chmodSync(where, 0o755);
      update(tool, 'add', 'sup', 'default');
    },
    remove: () => {
      update(tool, 'del', 'sup', 'default');
      rmSync(where, { force: true });
    },
    enabled: () => existsSync(join(etc, 'runlevels/default/sup')),
    started: () => {
      const pid = Number(readText('/run/sup-boot.pid') ?? '');
      return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
    },
    hints: () => [],
  };
};
