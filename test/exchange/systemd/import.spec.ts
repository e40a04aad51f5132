// Units as manifests: what becomes of their parts, and what is lost.
import { expect, it } from 'vitest';
import { importTexts } from './units.ts';

const API = `[Unit]
Requires=db.service
After=db.service gone.service
Wants=cache.service

[Service]
# A comment within a continued line is left out.
ExecStart=/usr/bin/node api.js --port \${PORT} \\
# such as this one
  "a b" $OPTS
Environment="GREETING=hello world" PORT=8080
Environment=COST=5$
ExecReload=/bin/kill -HUP $MAINPID
User=daemon
Restart=on-failure
RestartSec=2s
LimitNOFILE=1024:4096
TimeoutStopSec=1min 30s

[Install]
WantedBy=multi-user.target
`;

const serviceOf = (manifest: string): string => manifest.replace(/^[\s\S]*?services:\n/, '');

it('a unit becomes a service with its defaults, and its losses are comments', async () => {
  const { manifest, losses } = await importTexts({
    'api.service': API,
    'api.service.d/10-more.conf': '[Service]\nRestartSec=\nRestartSec=3s\n',
    'db.service': '[Service]\nExecStart=/usr/bin/db\n[Install]\nWantedBy=multi-user.target\n',
  });
  expect(losses.map(({ effect, key, place }) => [effect, key, place.line])).toEqual([
    ['lost', 'After', 3],
    ['lost', 'Wants', 4],
    ['changed', 'ExecStart', 8],
    ['changed', 'LimitNOFILE', 17],
  ]);
  expect(serviceOf(manifest)).toContain(
    `command: set -f; exec /usr/bin/node api.js --port "$PORT" 'a b' $OPTS`,
  );
  for (const line of [
    'depends_on: [db]',
    'signal: HUP',
    'backoff: 3s',
    'stop_timeout: 90s',
    'GREETING: hello world',
    'working_dir: /',
    'nofile: 4096',
  ])
    expect(manifest).toContain(line);
});

it.each<[lines: string, keys: string, changed: string]>([
  ['ProtectSystem=strict', 'system: read_only', ''],
  ['ProtectSystem=full', 'system: os_read_only', ''],
  ['ProtectSystem=yes', 'system: os_read_only', '/etc is read-only, too'],
  ['ProtectHome=yes', 'home: hidden', ''],
  ['ProtectHome=tmpfs', 'home: hidden', ''],
  ['ProtectHome=read-only', 'home: read_only', ''],
  ['PrivateTmp=true', 'tmp: private', 'in memory, at most a quarter of it'],
  ['PrivateDevices=on', 'devices: minimal', ''],
  ['ProtectProc=ptraceable', 'proc: own', ''],
  ['ProtectProc=invisible', 'proc: own', 'that the service may not trace'],
  ['ProtectKernelLogs=yes', 'kernel: read_only', 'ProtectKernelTunables=yes and ProtectKernelModules=yes'],
  ['ProtectKernelTunables=1\nProtectKernelModules=1\nProtectKernelLogs=1', 'kernel: read_only', ''],
])('%s becomes isolation.protect', async (lines, keys, changed) => {
  const text = `[Service]\nExecStart=/bin/true\n${lines}\n[Install]\nWantedBy=multi-user.target\n`;
  const { manifest, losses } = await importTexts({ 'a.service': text });
  expect(manifest).toMatch(new RegExp(`isolation:\\n +protect:\\n(?: +#.*\\n)* +${keys}\\n`));
  const found = losses.filter(({ key }) => key !== 'WantedBy').map(({ message }) => message);
  expect(found).toHaveLength(changed === '' ? 0 : 1);
  expect(found.join('')).toContain(changed);
});

it.each(['ProtectSystem=no', 'ProtectHome=', 'PrivateTmp=off', 'ProtectProc=default', 'ProtectKernelLogs=0'])(
  '%s needs no key',
  async (line) => {
    const { manifest } = await importTexts({ 'a.service': `[Service]\nExecStart=/bin/true\n${line}\n` });
    expect(manifest).not.toContain('isolation');
  },
);

it('a credential that is a directory is lost, one that is a file or does not exist is not', async () => {
  const lines = ['all:/etc', 'host:/etc/hostname', 'later:/run/no/such/file', 'near:token']
    .map((value) => `LoadCredential=${value}\n`)
    .join('');
  const { manifest, losses } = await importTexts({ 'a.service': `[Service]\nExecStart=/bin/true\n${lines}` });
  expect(manifest).toMatch(/ credentials:\n +host:\n +file: \/etc\/hostname\n +later:\n +file: \/run/);
  expect(manifest).not.toContain('file: /etc\n');
  expect(losses.map(({ effect, key, message }) => `${effect} ${key} ${message}`)).toContain(
    'lost LoadCredential all, near: a credential has a name and the absolute path of one file',
  );
});

it('a timer and its oneshot become a service with cron', async () => {
  const { manifest } = await importTexts({
    'report.service': '[Service]\nType=oneshot\nExecStart=/usr/bin/report\n',
    'report.timer': '[Timer]\nOnCalendar=Mon..Fri 03:30\nPersistent=true\nRandomizedDelaySec=10min\n',
  });
  expect(manifest).toContain('expression: 30 3 * * 1-5');
  for (const line of ['catch_up: once', 'jitter: 10m']) expect(manifest).toContain(line);
});

it('numbered instances of a template become replicas, others become services of their own', async () => {
  const { manifest, services } = await importTexts({
    'web@.service': '[Service]\nExecStart=/usr/bin/web --number %i\n',
    'box@.service': '[Service]\nExecStart=/usr/bin/box %i\n',
    'all.target': '[Unit]\nWants=web@1.service web@2.service box@red.service box@blue.service\n',
  });
  expect(services).toBe(3);
  for (const line of ['replicas: 2', '"{instance}"', 'box-red:', 'box-blue:'])
    expect(manifest).toContain(line);
});

it('services that would wait for each other in a circle lose the dependency that closes it', async () => {
  const unit = (after: string): string =>
    `[Unit]\nAfter=${after}\n[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=a.target\n`;
  const { losses } = await importTexts({ 'a.service': unit('b.service'), 'b.service': unit('a.service') });
  expect(losses.map(({ key, message }) => [key, message])).toEqual([
    ['After', 'a.service: services cannot wait for each other in a circle'],
  ]);
});

it.each([
  ['a heading that does not end', '[Service\nExecStart=/bin/true\n', 'ERR0802'],
  ['no section', 'ExecStart=/bin/true\n', 'ERR0802'],
  ['binary content', '[Service]\nExecStart=\u0000\n', 'ERR0803'],
  ['more than 4 MiB', `[Service]\n${'#'.repeat(5_000_000)}\n`, 'ERR0803'],
  ['an empty file, by which a unit is masked', '', 'ERR0804'],
])('%s is refused with its own code', async (_, text, code) => {
  await expect(importTexts({ 'a.service': text })).rejects.toThrow(code);
});

it('200,000 lines of one key are read in a short time', async () => {
  const { services } = await importTexts({
    'a.service': `[Unit]\n${'After=b.service\n'.repeat(200_000)}[Service]\nExecStart=/bin/true\n`,
  });
  expect(services).toBe(1);
});

it('50,000 keys that are not known are lost in a short time', async () => {
  const keys = Array.from({ length: 50_000 }, (_, at) => `K${at}=1`).join('\n');
  const { losses } = await importTexts({ 'a.service': `[Service]\nExecStart=/bin/true\n${keys}\n` });
  expect(losses.filter(({ effect }) => effect === 'lost')).toHaveLength(50_000);
});
