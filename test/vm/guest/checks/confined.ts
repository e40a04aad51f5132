// The other keys on this kernel, in one service: read from the kernel, not from `sup`.
import { readlinkSync } from 'node:fs';
import { expectSame, type Check } from '../check.ts';
import { numbersIn, read, statusLine } from '../kernel.ts';
import { pidOf, start, sup } from '../sup.ts';

const SERVICE = {
  command: 'exec sleep 1000',
  user: 'nobody',
  capabilities: ['NET_BIND_SERVICE'],
  limits: { nofile: 64, nice: 5, cpu_affinity: [1] },
  isolation: {
    network: true,
    mount: true,
    seccomp: 'baseline',
    landlock: { ro_paths: ['/'], rw_paths: ['/tmp'], exec_paths: ['/'] },
  },
};

const namespaceOf = (pid: number | 'self', kind: string): string => readlinkSync(`/proc/${pid}/ns/${kind}`);

export const confined: readonly Check[] = [
  {
    title: 'user, capabilities, limits, namespaces, Landlock and seccomp hold on this kernel',
    run: async () => {
      start('confined', { confined: SERVICE });
      const pid = pidOf('confined');
      const lines = [
        'Uid',
        'Gid',
        'CapEff',
        'CapBnd',
        'CapAmb',
        'NoNewPrivs',
        'Seccomp',
        'Cpus_allowed_list',
      ];
      const nobody = '65534\t65534\t65534\t65534';
      const bind = '0000000000000400';
      const wanted = [nobody, nobody, bind, bind, bind, '1', '2', '1'];
      expectSame(
        'status',
        lines.map((name) => statusLine(pid, name)),
        wanted,
      );
      expectSame('nofile', /^Max open files +(\d+) +(\d+)/m.exec(read(`/proc/${pid}/limits`))?.slice(1), [
        '64',
        '64',
      ]);
      for (const kind of ['net', 'mnt'])
        expectSame(`${kind} shared`, namespaceOf(pid, kind) === namespaceOf('self', kind), false);
      return Promise.resolve();
    },
  },
  {
    title: 'a user namespace is entered on this kernel, and its root is an id that nothing else has',
    run: async () => {
      start('mapped', { mapped: { command: 'exec sleep 1000', isolation: { user: true, network: true } } });
      const pid = pidOf('mapped');
      expectSame('user shared', namespaceOf(pid, 'user') === namespaceOf('self', 'user'), false);
      const [inside, outside, count] = numbersIn(read(`/proc/${pid}/uid_map`));
      expectSame('uid_map', [inside, (outside ?? 0) >= 100_000, count], [0, true, 65_536]);
      return Promise.resolve();
    },
  },
  {
    title: 'the supervisor shuts down, and leaves nobody',
    run: async () => {
      sup('shutdown', '--sys');
      return Promise.resolve();
    },
  },
];
