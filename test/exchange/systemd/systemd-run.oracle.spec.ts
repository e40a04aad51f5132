// Units that are imported run under the built `sup`: in order, with their environment, until they are stopped.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeWith } from '../support/oracle.ts';
import { supIn, textOnce } from '../support/run-sup.ts';
import { directoryWith } from './units.ts';

/** Says that it is ready, and records its environment and its end. */
const WEB = `import os, signal, socket, sys
def record(text):
    with open('record', 'a') as file: file.write(text + '\\n')
def stop(*_):
    record('web stops'); sys.exit(0)
signal.signal(signal.SIGTERM, stop)
record('web says ' + os.environ['GREETING'])
client = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
client.sendto(b'READY=1', os.environ['NOTIFY_SOCKET'].replace('@', '\\0', 1))
while True: signal.pause()
`;

const unitsIn = (directory: string): Readonly<Record<string, string>> => ({
  'first.service': `[Service]
Type=oneshot
WorkingDirectory=${directory}
ExecStart=/bin/sh -c "sleep 0.2; echo first ends >> record"
[Install]
WantedBy=multi-user.target
`,
  'web.service': `[Unit]
Requires=first.service
After=first.service
[Service]
Type=notify
WorkingDirectory=${directory}
Environment="GREETING=hello world"
ExecStart=/usr/bin/python3 web.py
[Install]
WantedBy=multi-user.target
`,
  'tick.service': `[Service]
Type=oneshot
WorkingDirectory=${directory}
ExecStart=/bin/sh -c "echo tick >> record"
`,
  'tick.timer': '[Timer]\nOnCalendar=*:*:*\n[Install]\nWantedBy=timers.target\n',
});

const UNITS = ['first.service', 'web.service', 'tick.service', 'tick.timer'];

describeWith('python3')('units that are imported', () => {
  it('run in the order of their dependencies, by their timer, until they are stopped', async () => {
    const directory = directoryWith({ 'web.py': WEB });
    onTestFinished(() => rmSync(directory, { recursive: true }));
    for (const [name, text] of Object.entries(unitsIn(directory))) writeFileSync(join(directory, name), text);
    const sup = supIn(directory);
    expect(await sup('import', ...UNITS, '--out', 'sup.yaml')).toMatchObject({ status: 0, stdout: '' });
    expect(await sup('start', '-d')).toMatchObject({ status: 0 });
    const record = join(directory, 'record');
    const running = await textOnce(record, (text) => text.includes('tick'));
    expect(running.split('\n').filter((line) => line !== '' && line !== 'tick')).toEqual([
      'first ends',
      'web says hello world',
    ]);
    expect(await sup('stop')).toMatchObject({ status: 0 });
    expect(readFileSync(record, 'utf8')).toMatch(/^web stops$/m);
  });
});
