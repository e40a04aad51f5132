// The OpenRC script: it runs the supervisor under its guardian, which restarts it.
import { guardedLine, MARKER, shellWord, type BootPlace } from './place.ts';

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
