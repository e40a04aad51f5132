// Table rows that translate the Compose keys about the container: ports, volumes, networks and others. Most
// of these keys are lost, because `sup` runs programs of this machine without a container.
import { posix, resolve } from 'node:path';
import { type ComposeService, mountsOf } from './compose-service.ts';
import { type ComposeRow, ifPresent } from './compose-target.ts';
import {
  itemsOf,
  remarks,
  isPlainMap,
  lost,
  unneeded,
  type Plain,
  type Translation,
  type KeyRow,
} from '../key-table.ts';
import { textOf, textsOf, shownValue, isTrue } from '../source-values.ts';

interface Port {
  readonly address?: string;
  readonly published?: string;
  readonly target: string;
}

const portOf = (value: Plain): Port => {
  if (isPlainMap(value)) {
    const { host_ip: address, published, target } = value;
    return {
      target: textOf(target),
      ...(published !== undefined && { published: textOf(published) }),
      ...(address !== undefined && { address: textOf(address) }),
    };
  }
  const parts = textOf(value)
    .replace(/\/\w+$/, '')
    .split(':');
  const [target = '', published, ...address] = parts.reverse();
  return {
    target,
    ...(published !== undefined && published !== '' && { published }),
    ...(address.length > 0 && { address: address.reverse().join(':') }),
  };
};

/** Returns the remark about a published port. Without a container, the program opens the port itself. */
const portNote = (value: Plain): Translation => {
  const { address, published, target } = portOf(value);
  if (target === '') return { lost: `${shownValue(value)} is not a port` };
  if (published === undefined) return { changed: `the program opens port ${target} itself, not a free one` };
  if (published !== target)
    return {
      lost: `${shownValue(value)}: the program opens port ${target} itself; set ${published} in its settings if it must be that`,
    };
  return address === undefined || address === '0.0.0.0'
    ? {}
    : {
        changed: `the program itself decides at which address it opens port ${target}; here it was ${address}`,
      };
};

const joinedNotes = (all: readonly Translation[]): Translation =>
  remarks(
    all.flatMap((each) => each.changed ?? []),
    all.flatMap((each) => each.lost ?? []),
  );

const volumeNote = (value: Plain, service: ComposeService): Translation => {
  const target = posix.normalize(
    textOf(isPlainMap(value) ? value['target'] : (textOf(value).split(':')[1] ?? value)),
  );
  const mount = mountsOf(service).find((each) => each.target === target);
  if (mount === undefined)
    return {
      lost: `${shownValue(value)}: the program has no volume; it keeps its data in ${target} of this machine`,
    };
  return resolve(mount.target) === mount.source
    ? {}
    : { changed: `${target} of the container is ${mount.source} on this machine` };
};

/** Translates `tmpfs`. Only `/tmp` has a counterpart: a private `/tmp`. */
const temporary = (value: Plain): Translation => {
  const paths = textsOf(value).map((path) => path.split(':')[0] ?? path);
  const others = paths.filter((path) => path !== '/tmp');
  return {
    ...(paths.includes('/tmp') && { keys: { 'isolation.private_tmp': true } }),
    ...(others.length > 0 && { lost: `${others.join(', ')} is a directory of this machine` }),
  };
};

const networkMode = (value: Plain): Translation => {
  if (value === 'none') return { keys: { 'isolation.network': true } };
  return value === 'host' || value === 'bridge' ? {} : { lost: 'a service uses the network of the machine' };
};

interface WatchRule {
  readonly path: string;
  readonly action: string;
  readonly ignore: readonly string[];
}

const watchRules = (value: Plain): readonly WatchRule[] =>
  itemsOf(value).flatMap((each) =>
    isPlainMap(each)
      ? [{ path: textOf(each['path']), action: textOf(each['action']), ignore: textsOf(each['ignore']) }]
      : [],
  );

/**
 * Translates `develop.watch`. Only the rules that restart the service have a counterpart. Other rules copy
 * files into a container or build the image of the container.
 */
const watched = (value: Plain, { placed }: ComposeService): Translation => {
  const rules = watchRules(value);
  const restarting = rules.filter(({ action }) => /restart/.test(action));
  const others = rules.filter(({ action }) => !/restart/.test(action));
  const ignore = [...new Set(restarting.flatMap((rule) => rule.ignore))];
  return {
    ...(restarting.length > 0 && {
      keys: {
        watch: { paths: restarting.map(({ path }) => placed(path)), ...(ignore.length > 0 && { ignore }) },
      },
    }),
    ...(others.length > 0 && {
      lost: `${others.map(({ action, path }) => `${action} of ${path}`).join(', ')}: a program of this machine uses its files directly`,
    }),
  };
};

const row = (keys: readonly [string, ...string[]], message: string): ComposeRow => {
  const [theirs, ...also] = keys;
  return { theirs, ...(also.length > 0 && { also }), ours: [], note: `${message}.`, read: lost(message) };
};

const same = (keys: readonly [string, ...string[]], note: string): KeyRow => {
  const [theirs, ...also] = keys;
  return { theirs, ...(also.length > 0 && { also }), ours: [], note, read: unneeded };
};

/** The rows for ports, files and the container. */
export const CONTAINER_ROWS: readonly ComposeRow[] = [
  {
    theirs: 'ports',
    ours: ['sockets'],
    note: 'The program opens its port on this machine itself; `sup` can [hold it](held-sockets.md).',
    read: ({ value }) => joinedNotes(itemsOf(value).map(portNote)),
    write: ({ spec: { sockets = [] } }) => {
      const ports = sockets.flatMap(({ listen }) => (listen.tag === 'tcp' ? [listen] : []));
      const keys = ports.map(
        ({ host, port }) => `${/^(?:0\.0\.0\.0|::)$/.test(host) ? '' : `${host}:`}${port}:${port}`,
      );
      return {
        ...(keys.length > 0 && { keys: { ports: keys }, changed: 'the program must open the port itself' }),
        ...(sockets.length > ports.length && { lost: 'Compose passes no sockets of files' }),
      };
    },
  },
  same(['expose'], 'Every program of this machine reaches the port.'),
  {
    theirs: 'volumes',
    ours: [],
    note: 'A service sees the files of the machine. Paths of the container in commands and variables become those of this machine.',
    read: ({ value }, service) => joinedNotes(itemsOf(value).map((each) => volumeNote(each, service))),
  },
  {
    theirs: 'tmpfs',
    ours: ['isolation.private_tmp'],
    note: 'Only `/tmp` has a counterpart.',
    read: ({ value }) => temporary(value),
    write: ({ spec: { privilege } }) =>
      privilege.isolation?.privateTmp ? { keys: { tmpfs: ['/tmp'] } } : {},
  },
  {
    theirs: 'network_mode',
    ours: ['isolation.network'],
    note: 'With `none` the service has a network of its own.',
    read: ({ value }) => networkMode(value),
    write: ({ spec: { privilege } }) =>
      privilege.isolation?.network ? { keys: { network_mode: 'none' } } : {},
  },
  {
    theirs: 'develop.watch',
    ours: ['watch'],
    note: 'Only the actions `restart` and `sync+restart` have a counterpart. All other actions copy files into a container.',
    read: ({ value }, service) => watched(value, service),
    write: ({ spec: { watch } }) => ({
      ...ifPresent(watch?.action === 'restart' ? watch : undefined, ({ paths, ignore = [] }) => ({
        'develop.watch': paths.map((path) => ({
          path,
          action: 'restart',
          ...(ignore.length > 0 && { ignore: [...ignore] }),
        })),
      })),
      ...(watch !== undefined &&
        watch.action !== 'restart' && { lost: 'Compose sends no signals for files' }),
    }),
  },
  row(['networks'], 'services use the network of the machine, and reach each other at 127.0.0.1'),
  row(['configs'], 'a program reads its configuration from a file of this machine'),
  row(['read_only'], 'the files of the machine are not read-only: isolation.landlock restricts a service'),
  row(['volumes_from'], 'a service sees the files of the machine'),
  row(['shm_size', 'storage_opt', 'blkio_config'], 'memory and disks of the machine are shared'),
  row(['mem_swappiness', 'memswap_limit', 'oom_kill_disable'], 'sup has no limit of this kind'),
  row(
    ['cpu_count', 'cpu_percent', 'cpu_rt_period', 'cpu_rt_runtime'],
    'limits.cgroup.cpu_max limits the processor',
  ),
  row(['cgroup', 'cgroup_parent'], 'limits.cgroup.root names the place of the cgroups'),
  row(['devices', 'device_cgroup_rules', 'gpus'], 'a service uses the devices of the machine'),
  row(
    ['dns', 'dns_opt', 'dns_search', 'extra_hosts', 'external_links'],
    'names are looked up as on this machine',
  ),
  row(
    ['hostname', 'domainname', 'mac_address', 'uts'],
    'a service has the name and the address of the machine',
  ),
  row(['ipc', 'pid', 'userns_mode'], 'isolation gives a service namespaces of its own'),
  row(['sysctls'], 'sup sets no parameters of the kernel: use sysctl of the machine'),
  row(['credential_spec'], 'a service has no credentials of Windows'),
  {
    theirs: 'security_opt',
    ours: ['isolation.no_new_privs'],
    note: 'Only `no-new-privileges` has a counterpart here. See also `seccomp`, `apparmor_profile` and `selinux_context` of `isolation`.',
    read: ({ value }) => {
      const all = textsOf(value);
      const others = all.filter((option) => !/^no-new-privileges(?:[:=]true)?$/.test(option));
      return {
        ...(others.length < all.length && { keys: { 'isolation.no_new_privs': true } }),
        ...(others.length > 0 && {
          lost: `${others.join(', ')}: isolation has seccomp, apparmor_profile and selinux_context`,
        }),
      };
    },
    write: ({ spec }) =>
      spec.privilege.isolation?.noNewPrivs === true
        ? { keys: { security_opt: ['no-new-privileges:true'] } }
        : {},
  },
  row(['tty', 'stdin_open'], 'a service has no terminal and no input'),
  row(['provider', 'models', 'use_api_socket'], 'sup starts programs only'),
  {
    theirs: 'privileged',
    ours: [],
    note: 'A program of this machine has all rights of its user.',
    read: ({ value }) =>
      isTrue(value) ? { changed: 'a program of this machine has all rights of its user' } : {},
  },
  same(['init'], 'The supervisor collects processes that end.'),
  same(['container_name'], 'If the name is used as a host name, it becomes `127.0.0.1`.'),
  same(['labels', 'label_file', 'annotations'], 'Write a comment instead.'),
  same(['platform', 'runtime', 'isolation'], 'There is no container.'),
];
