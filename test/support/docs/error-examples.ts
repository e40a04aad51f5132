// One example of each error that is no problem of a manifest: the facts, from which the program makes the message.
import { MEND_PATH } from '../../../src/supervisor/loader/program-trust.ts';
import type { CommandError, ServiceError } from '../../../src/streams/domain/errors/error.ts';
import { ms, seconds } from '../../../src/streams/domain/time.ts';
import { idOf } from '../spec.ts';

type ByCode<E extends { readonly code: string }> = { readonly [C in E['code']]: Extract<E, { code: C }> };

const web = idOf('web');
const db = idOf('db');
const MANIFEST = '/srv/shop/sup.yaml';

const keyed = <C extends string>(code: C, key: string, detail: string) => ({
  code,
  service: web,
  key,
  detail,
});

const REFUSED: Extract<ServiceError, { code: 'ERR0102' }> = {
  code: 'ERR0102',
  service: web,
  status: { tag: 'code', code: 1 },
  evidence: ['Error: connect ECONNREFUSED 127.0.0.1:5432'],
};

const OF_SERVICES: ByCode<ServiceError> = {
  ERR0022: { code: 'ERR0022', service: web, detail: 'connect ECONNREFUSED 127.0.0.1:8080' },
  ERR0023: { code: 'ERR0023', service: web, limit: seconds(30) },
  ERR0024: { code: 'ERR0024', service: web, limit: seconds(10) },
  ERR0101: { code: 'ERR0101', service: web, status: { tag: 'signal', signal: 'SIGKILL' } },
  ERR0102: REFUSED,
  ERR0103: {
    code: 'ERR0103',
    service: web,
    status: { tag: 'code', code: 1 },
    evidence: ['config.json: unexpected end of file'],
  },
  ERR0104: { code: 'ERR0104', service: web, detail: 'GET http://127.0.0.1:8080/health answered 503' },
  ERR0105: {
    code: 'ERR0105',
    service: web,
    status: { tag: 'code', code: 1 },
    taken: { port: 8080, holder: { pid: 812, name: 'node' } },
    evidence: ['Error: listen EADDRINUSE: address already in use :::8080'],
  },
  ERR0107: { code: 'ERR0107', service: web, waited: seconds(360) },
  ERR0108: { code: 'ERR0108', service: web, budget: seconds(300) },
  ERR0109: { code: 'ERR0109', service: web, dependency: db },
  ERR0110: { code: 'ERR0110', service: web, attempts: 8, last: REFUSED },
  ERR0112: { code: 'ERR0112', service: web, survivors: [812, 815], waited: seconds(10) },
  ERR0113: keyed('ERR0113', 'exec', 'program "nod" was not found in /usr/local/bin:/usr/bin:/bin'),
  ERR0114: { code: 'ERR0114', service: idOf('report'), limit: seconds(3600) },
  ERR0115: {
    code: 'ERR0115',
    service: web,
    detail: 'the candidate: exited with 1 before it was ready',
    evidence: ['TypeError: port is not a number'],
  },
  ERR0116: {
    code: 'ERR0116',
    service: web,
    detail: 'switch_command exited with 1',
    evidence: ['nginx: [emerg] host not found in upstream'],
  },
  ERR0117: { code: 'ERR0117', service: web },
  ERR0124: {
    code: 'ERR0124',
    service: web,
    name: 'DB_PASSWORD',
    file: '/srv/shop/secrets/db',
    detail: 'no such file',
  },
  ERR0118: { code: 'ERR0118', service: idOf('proxy'), daemon: { pid: 812, name: 'nginx' } },
  ERR0120: {
    code: 'ERR0120',
    service: web,
    bytes: 734_003_200,
    limit: 536_870_912,
    length: seconds(30),
  },
  ERR0123: {
    ...{ code: 'ERR0123', service: web, file: 'src' },
    detail:
      'no inotify watch of the user is left (ENOSPC); as root: sysctl -w fs.inotify.max_user_watches=524288',
  },
  ERR0122: { code: 'ERR0122', service: idOf('db'), status: { tag: 'code', code: 1 }, evidence: [] },
  ERR0125: keyed('ERR0125', 'credentials.db', '/srv/shop/secrets/db cannot be used: no such file'),
  ERR0126: keyed(
    'ERR0126',
    'state_dir',
    '/var/lib/web belongs to user 0, and the service runs as 33; nothing was changed: if it is the right one, chown -R 33:33 /var/lib/web',
  ),
  ERR0723: keyed('ERR0723', 'isolation.landlock.ro_paths', '/srv/assets: No such file or directory (ENOENT)'),
  ERR0724: keyed(
    'ERR0724',
    'isolation.seccomp',
    'the system calls of this machine are not known; those of x64 and arm64 are',
  ),
  ERR0725: keyed('ERR0725', 'isolation.network', 'Operation not permitted (EPERM)'),
  ERR0726: keyed('ERR0726', 'limits.cgroup', 'there is no cgroup v2 hierarchy at /sys/fs/cgroup'),
  ERR0742: {
    code: 'ERR0742',
    service: web,
    key: 'user',
    detail: 'this machine has no user "www"',
    final: true,
  },
  ERR0743: {
    code: 'ERR0743',
    service: web,
    key: 'capabilities',
    detail: 'the supervisor does not have NET_BIND_SERVICE to give; it has none',
    final: true,
  },
  ERR0744: {
    code: 'ERR0744',
    service: web,
    key: 'limits.cpu_affinity',
    detail: 'this machine has no CPU 8; it has 0, 1, 2, 3',
    final: true,
  },
  ERR0745: keyed('ERR0745', 'launcher', 'the launcher ended before its work was done'),
  ERR0746: keyed('ERR0746', 'working_dir', '/srv/web: Permission denied (EACCES)'),
};

const OF_COMMANDS: ByCode<CommandError> = {
  ERR0001: { code: 'ERR0001', detail: 'the loop ended without an answer' },
  ERR0006: { code: 'ERR0006', name: 'web', projects: ['shop', 'blog'] },
  ERR0106: {
    code: 'ERR0106',
    failures: [REFUSED, { code: 'ERR0109', service: idOf('worker'), dependency: web }],
    total: 5,
  },
  ERR0111: { code: 'ERR0111', command: 'start', waited: seconds(900) },
  ERR0119: { code: 'ERR0119', detail: 'not running: shop/web; nothing was sent' },
  ERR0127: {
    code: 'ERR0127',
    to: 'https://hooks.example.com',
    attempts: 5,
    detail: 'it answered with status 503',
  },
  ERR0200: { code: 'ERR0200', detail: 'sup strat' },
  ERR0201: { code: 'ERR0201', detail: `project "blog" is not declared by ${MANIFEST}` },
  ERR0202: { code: 'ERR0202', name: 'shop/wbe', known: ['shop/db', 'shop/web'] },
  ERR0203: {
    code: 'ERR0203',
    file: MANIFEST,
    detail: 'there is no sup.yaml or sup.yml here; -c <file> names another',
  },
  ERR0204: { code: 'ERR0204', detail: 'sup purge --all --logs' },
  ERR0205: { code: 'ERR0205', pid: 731, waited: seconds(20) },
  ERR0206: { code: 'ERR0206', dataDir: '/home/me/.local/share/sup' },
  ERR0224: { code: 'ERR0224', file: MANIFEST, detail: `EACCES: permission denied, open '${MANIFEST}.tmp'` },
  ERR0225: {
    code: 'ERR0225',
    detail: 'supervisor.xml:4:5: logs/max_files: "five" is not a whole number from 0; 5 applies',
  },
  ERR0230: { code: 'ERR0230', detail: 'there is no program ssh in PATH' },
  ERR0231: {
    code: 'ERR0231',
    host: 'ops@box',
    detail: 'ops@box: Permission denied (publickey,password).',
  },
  ERR0232: { code: 'ERR0232', host: 'ops@box', detail: 'Host key verification failed.' },
  ERR0233: { code: 'ERR0233', host: 'ops@box', detail: 'sh: 1: sup: not found' },
  ERR0234: { code: 'ERR0234', host: 'ops@box', version: '2.0.0' },
  ERR0235: {
    code: 'ERR0235',
    host: 'ops@box',
    detail: 'Timeout, server box not responding.',
    command: 'restart',
  },
  ERR0236: { code: 'ERR0236', host: 'ops@box', waited: seconds(10) },
  ERR0237: { code: 'ERR0237', action: 'restart' },
  ERR0238: { code: 'ERR0238', changes: 2 },
  ERR0239: { code: 'ERR0239', detail: 'more than 32 questions are open' },
  ERR0240: { code: 'ERR0240', place: '127.0.0.1:9465', detail: 'the port is in use' },
  ERR0727: { code: 'ERR0727', services: [web, db], detail: 'ENOSPC' },
  ERR0241: { code: 'ERR0241', change: 'restart', services: ['shop/db'] },
  ERR0242: { code: 'ERR0242', plan: '3f2a9c0d1e4b5a67', isOld: true },
  ERR0243: { code: 'ERR0243', call: 'logs', detail: 'lines: 0 is not a whole number from 1 to 500' },
  ERR0244: {
    code: 'ERR0244',
    command: 'start',
    detail: 'the supervisor reads the file again at each start, restart and apply',
  },
  ERR0245: { code: 'ERR0245', detail: 'it is a terminal' },
  ERR0246: { code: 'ERR0246', written: 'high' },
  ERR0247: { code: 'ERR0247', threshold: 4, scores: [[web, 9.2]] },
  ERR0801: { code: 'ERR0801', file: 'jobs.conf', formats: ['supervisord', 'procfile'] },
  ERR0802: {
    ...{ code: 'ERR0802', file: 'supervisord.conf', line: 12, format: 'a configuration of supervisord' },
    detail: 'the line is neither a section nor a key',
  },
  ERR0803: { code: 'ERR0803', file: 'dump.rdb', detail: 'it is binary, not text' },
  ERR0804: { code: 'ERR0804', file: 'Procfile', format: 'a Procfile' },
  ERR0805: { code: 'ERR0805', file: 'supervisord.conf', losses: 3 },
  ERR0806: { code: 'ERR0806', file: 'ecosystem.config.js', detail: '--evaluate was not given' },
  ERR0807: { code: 'ERR0807', file: '/srv/sup.yaml', detail: 'EACCES: permission denied' },
  ERR0808: { code: 'ERR0808', services: ['shop/web'], format: 'Kubernetes' },
  ERR0810: {
    ...{ code: 'ERR0810', file: 'supervisord.conf', line: 3, key: 'stopsignal' },
    detail: '"FOO" is not a signal',
  },
  ERR0811: { code: 'ERR0811', file: 'supervisord.conf', line: 1, services: 5000, most: 1000 },
  ERR0812: { code: 'ERR0812', file: 'ecosystem.config.js', detail: 'it took longer than 10 s' },
  ERR0813: { code: 'ERR0813', files: ['k8s/db.yaml', 'k8s/web.yaml'] },
  ERR0301: { code: 'ERR0301', manifests: [MANIFEST], problems: [] },
  ERR0302: { code: 'ERR0302', failures: [REFUSED] },
  ERR0303: { code: 'ERR0303', services: [web] },
  ERR0304: { code: 'ERR0304', of: web },
  ERR0401: { code: 'ERR0401', detail: 'sup spawn works only inside a running service' },
  ERR0402: { code: 'ERR0402', of: web },
  ERR0403: { code: 'ERR0403', of: web, limit: 'children', allowed: 100 },
  ERR0404: { code: 'ERR0404', of: web, wait: ms(340) },
  ERR0405: { code: 'ERR0405', of: web, taken: 'thumbs' },
  ERR0406: { code: 'ERR0406', detail: 'it has closed the connection' },
  ERR0407: { code: 'ERR0407', of: web },
  ERR0408: { code: 'ERR0408', of: web, differences: [{ what: 'Seccomp', asks: '2', leader: '0' }] },
  ERR0409: { code: 'ERR0409', detail: 'sup event works only inside a running service' },
  ERR0501: { code: 'ERR0501', detail: 'a rollout of shop/web is under way' },
  ERR0502: {
    code: 'ERR0502',
    detail: '/opt/sup/dist/supervisor.js: did not answer within 10000 ms',
  },
  ERR0503: { code: 'ERR0503', detail: 'it ended before it was at work' },
  ERR0504: { code: 'ERR0504', file: '/usr/lib/sup/dist/sup.manifest.js' },
  ERR0601: { code: 'ERR0601', name: 'shop' },
  ERR0602: { code: 'ERR0602', detail: 'shop/web (pid 812)' },
  ERR0603: { code: 'ERR0603', file: '/etc/systemd/system/sup.service' },
  ERR0604: { code: 'ERR0604', detail: 'no systemd, OpenRC or crontab found; choose one with --init' },
  ERR0605: {
    code: 'ERR0605',
    detail: 'PATH names "bin", which is another directory wherever it is used',
    mend: MEND_PATH,
  },
  ERR0701: { code: 'ERR0701', file: '/srv/sup', detail: 'it is not a directory' },
  ERR0702: { code: 'ERR0702', dataDir: '/home/me/.local/share/sup', pid: 731 },
  ERR0704: { code: 'ERR0704', uid: 1000 },
  ERR0750: {
    code: 'ERR0750',
    detail: 'it belongs to a confined service, from which the data directory is hidden',
  },
};

export const ERROR_EXAMPLES: ByCode<ServiceError | CommandError> = { ...OF_SERVICES, ...OF_COMMANDS };

/** Words of the source in details of these examples: if they change there, the example is behind. */
export const WORDING: readonly (readonly [keyof typeof ERROR_EXAMPLES, string])[] = [
  ['ERR0001', 'the loop ended without an answer'],
  ['ERR0104', ' answered '],
  ['ERR0113', ' was not found in '],
  ['ERR0115', 'the candidate'],
  ['ERR0116', 'switch_command '],
  ['ERR0119', 'nothing was sent'],
  ['ERR0201', ' is not declared by '],
  ['ERR0203', 'there is no sup.yaml or sup.yml here; -c <file> names another'],
  ['ERR0401', 'sup spawn works only inside a running service'],
  ['ERR0406', 'it has closed the connection'],
  ['ERR0501', ' is under way'],
  ['ERR0502', 'did not answer within '],
  ['ERR0503', 'it ended before it was at work'],
  ['ERR0604', 'no systemd, OpenRC or crontab found; choose one with --init'],
  ['ERR0605', 'which is another directory wherever it is used'],
  ['ERR0701', 'it is not a directory'],
  ['ERR0724', 'the system calls of this machine are not known; those of x64 and arm64 are'],
  ['ERR0726', 'there is no cgroup v2 hierarchy at '],
  ['ERR0742', 'this machine has no user '],
  ['ERR0743', ' to give; it has '],
  ['ERR0744', 'this machine has no CPU '],
  ['ERR0745', 'the launcher ended before its work was done'],
  ['ERR0750', 'it belongs to a confined service, from which the data directory is hidden'],
];
