// The systemd unit. `KillMode=process`: services outlive a killed supervisor, and the next one adopts them.
// At SIGTERM the supervisor itself stops them in order. `Restart=on-failure`: `sup shutdown` is final.
import { NODE_WORDS } from '../../../../supervisor/loader/node-words.ts';
import { MARKER, supOf, type BootPlace } from './place.ts';

/** Quotes a word of a command line and escapes what systemd would expand. */
const word = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('%', '%%')
    .replaceAll('$', '$$$$')}"`;

/** An assignment expands only specifiers (`%`). */
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

const serviceSection = (place: BootPlace): readonly string[] => [
  '[Service]',
  'Type=exec',
  assigned('PATH', place.path),
  assigned('SUP_DATA_DIR', place.dataDir),
  `ExecStart=${[place.node, ...NODE_WORDS, supOf(place), 'supervise', ...(place.sys ? ['--sys'] : [])].map(word).join(' ')}`,
  '# Takes up what changed in registered manifests.',
  'ExecReload=/bin/kill -HUP $MAINPID',
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
