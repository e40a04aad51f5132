import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../../../src/streams/domain/errors/catalogue.ts';
import { errorDocument } from '../../../../src/streams/views/errors/error-text.ts';
import { idOf } from '../../../support/spec.ts';

const service = idOf('web');
const status = { tag: 'code', code: 7 } as const;
const evidence = ['listen EADDRINUSE'];
const killed = { code: 'ERR0101', service, status: { tag: 'signal', signal: 'SIGKILL' } } as const;
const limited = { ...killed, status: { ...killed.status, outOfMemory: true } } as const;
const exited = { code: 'ERR0102', service, status, evidence } as const;

describe('the hint of an error', () => {
  it.each([
    [{ code: 'ERR0202', name: 'wbe', known: ['db', 'web'] }, 'did you mean "web"?'],
    [{ code: 'ERR0202', name: 'apii', known: ['shop/db', 'shop/api'] }, 'did you mean "shop/api"?'],
    [{ code: 'ERR0202', name: 'shop', known: ['shop/db'], isProject: true }, 'it is a project: -p shop'],
    [{ code: 'ERR0202', name: 'other', known: ['db', 'web'] }, 'there are db, web'],
    [
      {
        code: 'ERR0202',
        name: 'web',
        known: [],
        unchosen: {
          ...{ service, profiles: ['dev', 'test'], manifest: '/shop/sup.yaml' },
          reading: { files: ['/shop/prod.yaml'], profiles: ['debug'] },
        },
      },
      'sup start -c /shop/sup.yaml -c /shop/prod.yaml --profile debug --profile dev shop/web',
    ],
    [{ code: 'ERR0202', name: 'other', known: [] }, 'nothing is registered: sup start -c <manifest>'],
    [{ code: 'ERR0203', file: 'sup.yaml', detail: 'gone' }, CATALOGUE.ERR0203.next],
    [
      { code: 'ERR0203', file: 'Procfile', detail: 'a Procfile', mend: 'sup import Procfile' },
      'sup import Procfile',
    ],
    [{ code: 'ERR0801', file: 'a.conf', formats: ['pm2', 'crontab'] }, 'name it with --format: pm2, crontab'],
    [{ code: 'ERR0006', name: 'web', projects: ['a', 'b'] }, 'say which: a/web, or b/web'],
    [
      { code: 'ERR0241', change: 'stop', services: ['shop/db', 'shop/api'] },
      "a person may allow it: sup mcp --allow 'stop:shop/db'",
    ],
    [{ code: 'ERR0110', service, attempts: 8 }, 'fix the cause, then: sup start shop/web'],
    [{ code: 'ERR0110', service, attempts: 8, last: exited }, 'fix the cause, then: sup start shop/web'],
    [
      {
        code: 'ERR0110',
        service,
        attempts: 8,
        last: { code: 'ERR0118', service, daemon: { pid: 7, name: 'nginx' }, evidence: [] },
      },
      "keep it in the foreground: nginx -g 'daemon off;'; then: sup start shop/web",
    ],
    [
      {
        code: 'ERR0110',
        service,
        attempts: 8,
        last: { code: 'ERR0118', service, daemon: { pid: 7, name: 'mine' }, evidence: [] },
      },
      `${CATALOGUE.ERR0118.next}; then: sup start shop/web`,
    ],
    [
      { code: 'ERR0113', service, command: 'nosuch', detail: 'no such program' },
      'check the command; it is looked for in working_dir and in PATH of the service',
    ],
    [
      {
        code: 'ERR0113',
        service,
        key: 'exec',
        detail: 'program "x" was not found in the PATH of the service',
      },
      'write the whole path of the program, or set PATH in env.vars',
    ],
    [
      { code: 'ERR0113', service, key: 'working_dir', detail: 'working directory /x does not exist' },
      'make the directory, or correct working_dir',
    ],
    [{ code: 'ERR0113', service, detail: 'it cannot be told' }, CATALOGUE.ERR0113.next],
    [{ code: 'ERR0102', service, status, evidence }, 'sup logs shop/web -n 50'],
    [
      killed,
      'if it was not killed by hand, memory may have run out: see dmesg; its last output: sup logs shop/web -n 50',
    ],
    [limited, 'sup logs shop/web -n 50'],
    [
      { code: 'ERR0110', service, attempts: 8, last: killed },
      'if it was not killed by hand, memory may have run out: see dmesg; then: sup start shop/web',
    ],
    [{ code: 'ERR0105', service, taken: { port: 80 } }, "see which process has it: ss -ltnp 'sport = :80'"],
    [
      { code: 'ERR0105', service, taken: { port: 80, holder: { pid: 12 } } },
      'see what it is: ps -fp 12; then end it, or change the port',
    ],
    [
      { code: 'ERR0105', service, taken: { port: 80, holder: { pid: 12, service: idOf('api') } } },
      'give one of them another port, or: sup stop shop/api',
    ],
    [
      { code: 'ERR0118', service, daemon: { pid: 12, name: 'nginx' } },
      "keep it in the foreground: nginx -g 'daemon off;'",
    ],
    [
      {
        code: 'ERR0113',
        service,
        key: 'sockets',
        detail: '0.0.0.0:80 cannot be opened (bind: EADDRINUSE)',
      },
      'see which process has the address: ss -ltnp for a port, ss -lxp for a path; a file there that is no socket has to be moved away',
    ],
    [
      {
        code: 'ERR0113',
        service,
        key: 'sockets',
        detail: '/run/w.sock cannot be opened (bind: EADDRINUSE): it is held by shop/api (pid 812, node)',
      },
      'see what it is: ps -fp 812; then end it, or change listen',
    ],
    [
      { code: 'ERR0113', service, key: 'sockets', detail: '0.0.0.0:80 cannot be opened (bind: EACCES)' },
      'check listen: the address has to be one of this machine, a port below 1024 takes root, and a path a directory in which the supervisor may write',
    ],
    [
      { code: 'ERR0502', detail: 'x' },
      'install it again, or upgrade to another version; the services are as they were',
    ],
    [
      { code: 'ERR0502', detail: 'x', why: 'busy' },
      'it goes on as before; upgrade again when it has less to do (to see what is still changing: sup status)',
    ],
    [
      { code: 'ERR0502', detail: 'x', why: 'replaced' },
      'sup shutdown, then sup start, begins what is installed now; until then all goes on as before',
    ],
  ] as const)('the hint of %j is made from its facts', (error, hint) => {
    expect(errorDocument(error).hint).toBe(hint);
  });
});
