// Examples of the keys of limits and isolation, for docs/manifest.md.
import type { Home } from './key-examples.ts';

const WEB = ['services', 'web'];

export const PRIVILEGE_HOMES: Readonly<Record<string, Home>> = {
  limits: {
    path: [...WEB, 'limits'],
    examples: {
      nofile: 'nofile: 65536',
      nproc: 'nproc: 500',
      memlock: 'memlock: unlimited',
      ...{ core: 'core: 0', stack: 'stack: 8M', fsize: 'fsize: 1G' },
      nice: 'nice: 5',
      oom_score_adj: 'oom_score_adj: 500',
      cpu_affinity: 'cpu_affinity: [0, 1]',
      cgroup: 'cgroup: { memory_max: 512M }',
    },
  },
  cgroup: {
    path: [...WEB, 'limits', 'cgroup'],
    examples: {
      root: 'root: /sys/fs/cgroup/shop',
      memory_max: 'memory_max: 512M',
      memory_high: 'memory_high: 384M',
      cpu_max: 'cpu_max: 50000 100000',
      cpu_weight: 'cpu_weight: 200',
      pids_max: 'pids_max: 64',
    },
  },
  isolation: {
    path: [...WEB, 'isolation'],
    examples: {
      network: 'network: true',
      mount: 'mount: true',
      pid: 'pid: true',
      user: 'user: true',
      seccomp: 'seccomp: { deny: [ptrace] }',
      landlock: 'landlock: { ro_paths: [/usr, /etc] }',
      ports: 'ports: { bind: [8080], connect: [] }',
      address_families: 'address_families: [AF_UNIX, AF_INET, AF_INET6]',
      protect: 'protect: strict',
      no_new_privs: 'no_new_privs: true',
      apparmor_profile: 'apparmor_profile: web',
      selinux_context: 'selinux_context: "system_u:system_r:web_t:s0"',
      private_devices: 'private_devices: true',
      private_tmp: 'private_tmp: true',
    },
  },
  protect: {
    path: [...WEB, 'isolation', 'protect'],
    examples: {
      system: 'system: read_only',
      home: 'home: hidden',
      tmp: 'tmp: private',
      devices: 'devices: minimal',
      proc: 'proc: own',
      kernel: 'kernel: read_only',
    },
  },
  seccomp: {
    path: [...WEB, 'isolation', 'seccomp'],
    examples: {
      profile: 'profile: none',
      allow: 'allow: [mount]',
      deny: "deny: [ptrace, '@mount']",
      action: 'action: kill',
    },
  },
  landlock: {
    path: [...WEB, 'isolation', 'landlock'],
    examples: {
      ro_paths: 'ro_paths: [/usr, /etc]',
      rw_paths: 'rw_paths: [/var/lib/web]',
      exec_paths: 'exec_paths: [/usr/bin]',
    },
  },
  ports: {
    path: [...WEB, 'isolation', 'ports'],
    examples: { bind: 'bind: [8080]', connect: 'connect: [5432]' },
  },
};
