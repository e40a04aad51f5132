// Examples of errors, each with its sentence.
import type { SupError } from '../../../../src/streams/domain/errors/error.ts';
import type { Problem } from '../../../../src/streams/domain/declared/manifest.ts';
import { ms, seconds } from '../../../../src/streams/domain/time.ts';
import { idOf } from '../../../support/spec.ts';
import { OF_EXCHANGE } from './exchange-sentences.ts';

export const service = idOf('web');
const status = { tag: 'code', code: 7 } as const;
export const evidence = ['listen EADDRINUSE'];
export const problem: Problem = {
  code: 'ERR0210',
  severity: 'error',
  path: 'projects.shop.services.web.backoff',
  file: 'shop.yaml',
  line: 14,
  column: 16,
  message: '"1.5s" is not a whole number with ms, s, m or h',
};
export const exited = { code: 'ERR0102', service, status, evidence } as const;
export const failures: readonly SupError[] = [
  exited,
  { code: 'ERR0113', service: idOf('db'), detail: 'no such program' },
];

const manyFailures = Array.from({ length: 12 }, (_, at): SupError => ({
  ...exited,
  service: idOf(`s${at}`),
}));

export const SENTENCES: readonly (readonly [SupError, string])[] = [
  [{ code: 'ERR0001', detail: 'x' }, 'internal error: x'],
  [
    { code: 'ERR0006', name: 'web', projects: ['shop', 'blog'], forgotten: true },
    '"web" is a service of several forgotten projects: shop, blog',
  ],
  [
    { code: 'ERR0006', name: 'web', projects: ['shop', 'blog'] },
    '"web" is a service of several projects: shop, blog',
  ],
  [
    { code: 'ERR0022', service, detail: 'refused' },
    'shop/web: its health check could not reach its target: refused',
  ],
  [{ code: 'ERR0023', service, limit: seconds(30) }, 'shop/web: its health check did not answer within 30 s'],
  [{ code: 'ERR0024', service, limit: seconds(10) }, 'shop/web: it sent no WATCHDOG=1 within 10 s'],
  [{ code: 'ERR0101', service, status: { tag: 'signal', signal: 'SIGSEGV' } }, 'shop/web: killed by SIGSEGV'],
  [{ code: 'ERR0102', service, status, evidence }, 'shop/web: exited with 7 before it was ready'],
  [{ code: 'ERR0103', service, status, evidence }, 'shop/web: its pre_start command exited with 7'],
  [{ code: 'ERR0104', service, detail: '500' }, 'shop/web: its health check reported unhealthy: 500'],
  [{ code: 'ERR0105', service, status, evidence }, 'shop/web: exited with 7: its address is already in use'],
  [
    { code: 'ERR0105', service, status, evidence, taken: { port: 80, holder: { pid: 12, name: 'nginx' } } },
    'shop/web: exited with 7: its port 80 is held by pid 12 (nginx)',
  ],
  [
    {
      code: 'ERR0105',
      service,
      taken: { port: 80, holder: { pid: 12, name: 'node', service: idOf('api') } },
    },
    'shop/web: another process answers its health check: its port 80 is held by shop/api (pid 12, node)',
  ],
  [
    { code: 'ERR0105', service, status, evidence, taken: { port: 80 } },
    'shop/web: exited with 7: its port 80 is already in use',
  ],
  [{ code: 'ERR0106', failures, total: 5 }, '2 of 5 services did not come up: shop/web, shop/db'],
  [
    { code: 'ERR0106', failures: manyFailures, total: 40 },
    '12 of 40 services did not come up: ' +
      'shop/s0, shop/s1, shop/s2, shop/s3, shop/s4, shop/s5, shop/s6, shop/s7, shop/s8, shop/s9 and 2 more',
  ],
  [
    { code: 'ERR0107', service, waited: seconds(360) },
    'shop/web: neither ready nor failed after 6 min; it goes on starting',
  ],
  [
    { code: 'ERR0108', service, budget: seconds(300) },
    'shop/web: its pre_start command was killed: it was not done after 5 min',
  ],
  [
    { code: 'ERR0108', service, budget: seconds(1), step: 'skip' },
    'shop/web: its skip command was killed: it was not done after 1 s',
  ],
  [{ code: 'ERR0109', service, dependency: idOf('db') }, 'shop/web: its dependency db did not become ready'],
  [
    { code: 'ERR0110', service, attempts: 1, last: { code: 'ERR0101', service, status } },
    'shop/web: failed again after 1 automatic restart: exited with 7',
  ],
  [
    { code: 'ERR0111', command: 'start', waited: seconds(900) },
    '"start" was not answered within 15 min; it goes on',
  ],
  [
    { code: 'ERR0112', service, survivors: [12, 13], waited: seconds(10) },
    'shop/web: 2 processes alive 10 s after SIGKILL: 12, 13',
  ],
  [
    { code: 'ERR0112', service, survivors: [], waited: seconds(20) },
    'shop/web: is not over 20 s after SIGKILL: the process table could not be read',
  ],
  [{ code: 'ERR0113', service, detail: 'no program' }, 'shop/web: could not be started: no program'],
  [
    { code: 'ERR0114', service, limit: seconds(90) },
    'shop/web: the run was ended: it took longer than its timeout of 1 min 30 s',
  ],
  [
    { code: 'ERR0115', service, detail: 'x', evidence: [] },
    'shop/web: rollout failed, the old instance keeps running: x',
  ],
  [
    { code: 'ERR0116', service, detail: 'x', evidence: [] },
    'shop/web: switch failed, the old slot keeps serving: x',
  ],
  [
    { code: 'ERR0115', service, detail: 'x', evidence: [], old: 'gone' },
    'shop/web: rollout failed, and the old instance has ended, too: x',
  ],
  [
    { code: 'ERR0116', service, detail: 'x', evidence: [], old: 'unknown' },
    'shop/web: switch failed, and it is unknown where the traffic goes: x',
  ],
  [{ code: 'ERR0117', service }, 'shop/web: called off by another command'],
  [
    { code: 'ERR0118', service, daemon: { pid: 12, name: 'nginx' } },
    'shop/web: exited with 0 and left nginx (pid 12) in the background, where it cannot be supervised; it was stopped',
  ],
  [
    { code: 'ERR0124', service, name: 'KEY', file: '/srv/key', detail: 'no such file' },
    'shop/web: not started: env.secrets.KEY: /srv/key cannot be used: no such file',
  ],
  [
    { code: 'ERR0125', service, key: 'credentials.db', detail: '/srv/db cannot be used: no such file' },
    'shop/web: not started: credentials.db: /srv/db cannot be used: no such file',
  ],
  [
    { code: 'ERR0126', service, key: 'state_dir', detail: '/srv is no directory' },
    'shop/web: not started: state_dir: /srv is no directory',
  ],
  [
    { code: 'ERR0119', detail: 'not running: shop/web; nothing was sent' },
    'not running: shop/web; nothing was sent',
  ],
  [
    { code: 'ERR0120', service, bytes: 734_003_200, limit: 536_870_912, length: seconds(30) },
    'shop/web: used 700 MiB of memory, more than max_memory (512 MiB) for 30 s',
  ],
  [{ code: 'ERR0123', service, file: 'src', detail: 'ENOSPC' }, 'shop/web: cannot watch src: ENOSPC'],
  [
    { code: 'ERR0122', service, status: { tag: 'code', code: 2 } },
    'shop/web: its stop_command exited with 2; stop_signal followed',
  ],
  [
    { code: 'ERR0122', service, budget: seconds(7.5) },
    'shop/web: its stop_command was killed: it was not done after 7.5 s; stop_signal followed',
  ],
  [
    { code: 'ERR0127', to: 'https://hooks.example.com', attempts: 5, detail: 'no answer within 10 s' },
    'no alert could be delivered to https://hooks.example.com in 5 attempts: no answer within 10 s',
  ],
  [{ code: 'ERR0237', action: 'stop' }, 'this dashboard only watches: stop is not allowed'],
  [
    { code: 'ERR0238', changes: 1 },
    'the plan has changed since it was shown, and now has 1 change; nothing was applied',
  ],
  [{ code: 'ERR0239', detail: 'x' }, 'the question was refused: x'],
  [
    { code: 'ERR0240', place: '/x', detail: 'it is no socket' },
    'the dashboard cannot use /x: it is no socket',
  ],
  [{ code: 'ERR0225', detail: 'supervisor.xml is not readable' }, 'supervisor.xml is not readable'],
  [{ code: 'ERR0230', detail: 'not in PATH' }, 'ssh cannot be started: not in PATH'],
  [{ code: 'ERR0231', host: 'box', detail: 'refused' }, 'box cannot be reached: refused'],
  [
    { code: 'ERR0232', host: 'box', detail: 'it has changed' },
    'the host key of box is not accepted: it has changed',
  ],
  [{ code: 'ERR0233', host: 'box', detail: 'not found' }, 'there is no sup on box: not found'],
  [
    { code: 'ERR0234', host: 'box' },
    'the sup on box is of another version, with which this sup cannot speak',
  ],
  [
    { code: 'ERR0235', host: 'box', detail: 'closed', command: 'stop' },
    'the connection to box was lost, and what came of stop is not known: closed',
  ],
  [{ code: 'ERR0236', host: 'box', waited: ms(2_000) }, 'box did not answer within 2 s'],
  ...OF_EXCHANGE,
  [
    { code: 'ERR0727', services: [idOf('web'), idOf('db')], detail: 'ENOSPC' },
    'rotated logs of shop/web, shop/db cannot be compressed or removed (ENOSPC): they stay as they are, and are tried again each minute',
  ],
  [{ code: 'ERR0200', detail: 'unknown option --foo' }, 'unknown option --foo'],
  [{ code: 'ERR0201', detail: 'x' }, 'x'],
  [
    { code: 'ERR0202', name: 'wb', known: ['web'] },
    '"wb" is neither a project nor a service that is registered',
  ],
  [{ code: 'ERR0203', file: '/a.yaml', detail: 'ENOENT' }, '/a.yaml cannot be read: ENOENT'],
  [{ code: 'ERR0204', detail: 'x' }, 'x'],
  [{ code: 'ERR0205', pid: 812, waited: seconds(5) }, 'the supervisor (pid 812) did not answer within 5 s'],
  [{ code: 'ERR0206', dataDir: '/data' }, 'no supervisor is running for /data'],
  [{ code: 'ERR0206' }, 'the supervisor is shutting down and takes no commands'],
  [{ code: 'ERR0241', change: 'stop', services: [] }, 'stop is not allowed in this session'],
  [
    { code: 'ERR0241', change: 'start', services: ['a/b', 'a/c'] },
    'start is not allowed for a/b and 1 more, which it would change',
  ],
  [{ code: 'ERR0242', plan: 'f00d' }, 'no plan f00d was shown in this session'],
  [{ code: 'ERR0243', call: 'logs', detail: 'lines is missing' }, 'logs: lines is missing'],
  [
    { code: 'ERR0244', command: 'apply', detail: 'a file is needed' },
    'sup apply takes no manifest from standard input: a file is needed',
  ],
  [
    { code: 'ERR0245', detail: 'it is a terminal' },
    'no manifest can be read from standard input: it is a terminal',
  ],
  [{ code: 'ERR0246', written: 'high' }, '--threshold: "high" is not a score from 0 to 10'],
  [{ code: 'ERR0247', threshold: 4, scores: [[service, 9.2]] }, 'more open than 4: shop/web (9.2)'],
  [
    { code: 'ERR0301', manifests: ['shop.yaml'], problems: [problem] },
    'a registered manifest is invalid (shop.yaml): 1 problem; nothing was changed',
  ],
  [{ code: 'ERR0302', failures }, '2 services were not restarted: shop/web, shop/db'],
  [{ code: 'ERR0304', of: service }, 'shop/web cannot be scaled: its manifest declares no replicas'],
  [{ code: 'ERR0303', services: [service] }, 'no earlier declaration is kept of shop/web'],
  [{ code: 'ERR0401', detail: 'x' }, 'x'],
  [{ code: 'ERR0402', of: service }, 'shop/web takes no children: its spawn.mode is static'],
  [
    { code: 'ERR0403', of: service, limit: 'children', allowed: 2 },
    'shop/web is at its limit: spawn.limits.children is 2',
  ],
  [
    { code: 'ERR0403', of: service, limit: 'total_memory', allowed: 1024 },
    'shop/web is at its limit: spawn.limits.total_memory is 1024 bytes',
  ],
  [
    { code: 'ERR0404', of: service, wait: ms(120) },
    'shop/web has asked for ten children within a second; try again in 120 ms',
  ],
  [{ code: 'ERR0405', of: service, taken: 'a' }, 'a child of shop/web that is alive has the name "a"'],
  [{ code: 'ERR0406', detail: 'x' }, 'cannot identify the requesting process: x'],
  [{ code: 'ERR0407', of: service }, 'shop/web is ending, and gets no children any more'],
  [
    {
      code: 'ERR0408',
      of: service,
      differences: [
        { what: 'NoNewPrivs', asks: '1', leader: '0' },
        { what: 'Groups', asks: '', leader: '4' },
      ],
    },
    'this process is not confined as shop/web is: NoNewPrivs is 1, not 0; Groups is none, not 4',
  ],
  [
    { code: 'ERR0408', of: service, differences: [] },
    'the confinement of this process, or of the main process of shop/web, cannot be read',
  ],
  [{ code: 'ERR0224', file: 'x.yaml', detail: 'EISDIR' }, 'x.yaml cannot be written: EISDIR'],
  [{ code: 'ERR0409', detail: 'x' }, 'the event was not recorded: x'],
  [{ code: 'ERR0501', detail: 'x' }, 'upgrade refused: x'],
  [{ code: 'ERR0502', detail: 'x' }, 'upgrade failed, and nothing was touched: x'],
  [{ code: 'ERR0503', detail: 'x' }, 'the new program failed while it took over, and the old one goes on: x'],
  [
    { code: 'ERR0504', file: '/x' },
    '/x does not belong to the program that runs: it was replaced or is damaged',
  ],
  [{ code: 'ERR0701', file: '/data', detail: 'EACCES' }, '/data cannot be used: EACCES'],
  [{ code: 'ERR0601', name: 'shop' }, 'project "shop" is registered: nothing of it is left over'],
  [{ code: 'ERR0602', detail: 'shop/web (pid 7)' }, 'something of what is left runs: shop/web (pid 7)'],
  [{ code: 'ERR0603', file: '/etc/init.d/sup' }, '/etc/init.d/sup was not written by sup boot'],
  [{ code: 'ERR0604', detail: 'no bus' }, 'no bus'],
  [{ code: 'ERR0605', detail: 'x', mend: 'y' }, 'root would execute what another user can change: x'],
  [{ code: 'ERR0702', dataDir: '/data', pid: 812 }, 'a supervisor is running for /data already (pid 812)'],
  [{ code: 'ERR0704', uid: 1000 }, '--sys needs root, and this is user id 1000'],
  [{ code: 'ERR0750', detail: 'x' }, 'this process may not command the supervisor: x'],
];
