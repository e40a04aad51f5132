// Table rows that translate systemd's settings about limits of processes and of the cgroup to keys of `sup`,
// and back.
import type { CgroupSpec } from '../../../streams/domain/declared/spec.ts';
import {
  lostRow,
  orLost,
  textOf,
  unneededRow,
  linesOf,
  written,
  type UnitExport,
  type UnitRow,
} from '../unit-context.ts';
import { bytesOf, isNo, spanOf } from '../unit-values.ts';
import type { Plain, Setting, Translation } from '../../key-table.ts';
import { sizeText } from '../../manifest-text.ts';
import { processorList } from '../../source-values.ts';

type Counted = 'nofile' | 'nproc' | 'memlock' | 'core' | 'stack' | 'fsize';

const limitText = (text: string, isSize: boolean): Plain | undefined => {
  if (text === 'infinity') return 'unlimited';
  if (!isSize) return /^\d+$/.test(text) ? Number(text) : undefined;
  const bytes = bytesOf(text);
  return bytes === undefined ? undefined : sizeText(bytes);
};

const readLimit =
  (key: Counted, isSize: boolean) =>
  (setting: Setting): Translation => {
    const [soft = '', hard = soft] = textOf(setting).split(':');
    const value = limitText(hard, isSize);
    return orLost(value, `${hard} is neither a number nor infinity`, (found) => ({
      keys: { [`limits.${key}`]: found },
      ...(soft !== hard && { changed: `the soft limit is ${hard} as well, not ${soft}` }),
    }));
  };

const limitRow = (theirs: string, key: Counted): UnitRow => ({
  theirs,
  ours: [`limits.${key}`],
  note: '`sup` has one value for the soft and the hard limit. From `soft:hard` it takes the hard limit.',
  read: readLimit(key, !['nofile', 'nproc'].includes(key)),
  write: ({ spec: { privilege } }: UnitExport) => {
    const value = privilege.limits?.[key];
    return written(
      `Service.${theirs}`,
      value === undefined ? undefined : value === 'unlimited' ? 'infinity' : String(value),
    );
  },
});

const scalarRow = (
  theirs: string,
  key: 'nice' | 'oom_score_adj',
  field: 'nice' | 'oomScoreAdj',
): UnitRow => ({
  theirs,
  ours: [`limits.${key}`],
  read: (setting) =>
    orLost(
      /^[+-]?\d+$/.test(textOf(setting)) ? Number(textOf(setting)) : undefined,
      'it is no number',
      (value) => ({ keys: { [`limits.${key}`]: value } }),
    ),
  write: ({ spec: { privilege } }) => {
    const value = privilege.limits?.[field];
    return written(`Service.${theirs}`, value === undefined ? undefined : String(value));
  },
});

const PERCENT = 'a percentage depends on the machine: write a size';

const memory =
  (key: string) =>
  (setting: Setting): Translation =>
    orLost(bytesOf(textOf(setting)), PERCENT, (bytes) => ({
      keys: { [`limits.cgroup.${key}`]: Number.isFinite(bytes) ? sizeText(bytes) : 'max' },
    }));

const PERIOD_MS = 100;

const quota = (
  setting: Setting,
  { value }: { readonly value: (key: string) => string | undefined },
): Translation => {
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(textOf(setting)) ?? [];
  const period = (spanOf(value('CPUQuotaPeriodSec') ?? `${PERIOD_MS}ms`) ?? PERIOD_MS) * 1000;
  return orLost(percent, 'it is no percentage', (found) => ({
    keys: { 'limits.cgroup.cpu_max': `${Math.round((Number(found) / 100) * period)} ${period}` },
  }));
};

const quotaWritten = (cpuMax = 'max'): Translation => {
  const [share, period = '100000'] = cpuMax.split(' ');
  if (share === 'max') return {};
  const percent = Number(((Number(share) / Number(period)) * 100).toFixed(3));
  const keys = { 'Service.CPUQuota': `${Math.max(1, Math.round(percent))}%` };
  const changed = Number.isInteger(percent) ? {} : { changed: 'the quota is rounded to a whole percentage' };
  if (period === '100000') return { keys, ...changed };
  return { keys: { ...keys, 'Service.CPUQuotaPeriodSec': `${Number(period) / 1000}ms` }, ...changed };
};

const ofCgroup =
  (key: string, find: (cgroup: CgroupSpec) => number | string | undefined) =>
  ({ spec: { privilege } }: UnitExport): Translation => {
    const value = privilege.limits?.cgroup && find(privilege.limits.cgroup);
    return written(
      `Service.${key}`,
      value === undefined ? undefined : value === 'max' ? 'infinity' : String(value),
    );
  };

export const LIMIT_ROWS: readonly UnitRow[] = [
  limitRow('LimitNOFILE', 'nofile'),
  limitRow('LimitNPROC', 'nproc'),
  limitRow('LimitMEMLOCK', 'memlock'),
  limitRow('LimitCORE', 'core'),
  limitRow('LimitSTACK', 'stack'),
  limitRow('LimitFSIZE', 'fsize'),
  lostRow(
    'LimitCPU LimitDATA LimitRSS LimitAS LimitLOCKS LimitSIGPENDING LimitMSGQUEUE LimitNICE LimitRTPRIO LimitRTTIME',
    'limits has no such limit; prlimit can set it: exec: [prlimit, …]',
  ),
  scalarRow('Nice', 'nice', 'nice'),
  scalarRow('OOMScoreAdjust', 'oom_score_adj', 'oomScoreAdj'),
  {
    theirs: 'CPUAffinity',
    ours: ['limits.cpu_affinity'],
    read: (setting) =>
      orLost(processorList(linesOf(setting).join(' ')), 'the processors are no list of numbers', (list) => ({
        keys: { 'limits.cpu_affinity': list },
      })),
    write: ({ spec: { privilege } }) =>
      written('Service.CPUAffinity', privilege.limits?.cpuAffinity?.join(' ')),
  },
  {
    theirs: 'MemoryMax',
    also: ['MemoryLimit'],
    ours: ['limits.cgroup.memory_max'],
    read: memory('memory_max'),
    write: ofCgroup('MemoryMax', ({ memoryMax }) => memoryMax),
  },
  {
    theirs: 'MemoryHigh',
    ours: ['limits.cgroup.memory_high'],
    read: memory('memory_high'),
    write: ofCgroup('MemoryHigh', ({ memoryHigh }) => memoryHigh),
  },
  {
    theirs: 'CPUQuota',
    ours: ['limits.cgroup.cpu_max'],
    note: '`50%` corresponds to `50000 100000`.',
    read: quota,
    write: ({ spec: { privilege } }) => quotaWritten(privilege.limits?.cgroup?.cpuMax),
  },
  unneededRow('CPUQuotaPeriodSec', 'Is used for `cpu_max`.'),
  {
    theirs: 'CPUWeight',
    ours: ['limits.cgroup.cpu_weight'],
    read: (setting) =>
      orLost(
        /^\d+$/.test(textOf(setting)) ? Number(textOf(setting)) : undefined,
        'cpu_weight is a number',
        (value) => ({ keys: { 'limits.cgroup.cpu_weight': value } }),
      ),
    write: ofCgroup('CPUWeight', ({ cpuWeight }) => cpuWeight),
  },
  {
    theirs: 'CPUShares',
    ours: ['limits.cgroup.cpu_weight'],
    note: 'This setting is old. 1024 shares correspond to the weight 100.',
    read: (setting) =>
      orLost(
        /^\d+$/.test(textOf(setting)) ? Number(textOf(setting)) : undefined,
        'it is no number',
        (value) => ({
          keys: {
            'limits.cgroup.cpu_weight': Math.min(10_000, Math.max(1, Math.round((value * 100) / 1024))),
          },
        }),
      ),
  },
  {
    theirs: 'TasksMax',
    ours: ['limits.cgroup.pids_max'],
    read: (setting) =>
      orLost(
        textOf(setting) === 'infinity'
          ? 'max'
          : /^\d+$/.test(textOf(setting))
            ? Number(textOf(setting))
            : undefined,
        'a percentage depends on the machine: write a number',
        (value) => ({ keys: { 'limits.cgroup.pids_max': value } }),
      ),
    write: ofCgroup('TasksMax', ({ pidsMax }) => pidsMax),
  },
  {
    theirs: 'Slice',
    ours: ['limits.cgroup.root'],
    note: 'Lost: a slice is a unit of systemd.',
    read: () => ({ lost: 'the cgroup of a service lies below limits.cgroup.root' }),
    write: ({ declares }) =>
      declares('limits.cgroup.root') ? { lost: 'systemd chooses the cgroup; Slice= can group services' } : {},
  },
  unneededRow(
    'CPUAccounting MemoryAccounting TasksAccounting IOAccounting BlockIOAccounting IPAccounting',
    'Memory and processor time are always measured.',
  ),
  lostRow(
    'MemoryMin MemoryLow DefaultMemoryMin DefaultMemoryLow MemorySwapMax StartupCPUWeight StartupCPUShares AllowedCPUs StartupAllowedCPUs AllowedMemoryNodes StartupAllowedMemoryNodes Delegate DisableControllers',
    'limits.cgroup has memory_max, memory_high, cpu_max, cpu_weight and pids_max',
    isNo,
  ),
  lostRow(
    'IOWeight StartupIOWeight IODeviceWeight IOReadBandwidthMax IOWriteBandwidthMax IOReadIOPSMax IOWriteIOPSMax IODeviceLatencyTargetSec BlockIOWeight StartupBlockIOWeight BlockIODeviceWeight BlockIOReadBandwidth BlockIOWriteBandwidth',
    'limits.cgroup does not limit input and output',
  ),
  lostRow(
    'ManagedOOMSwap ManagedOOMMemoryPressure ManagedOOMMemoryPressureLimit ManagedOOMPreference OOMPolicy',
    'sup has no part in what systemd-oomd and the kernel kill; the end of the main process is a failure of the service',
    (value) => value === 'auto' || value === 'none',
  ),
  lostRow(
    'IOSchedulingClass IOSchedulingPriority CPUSchedulingPolicy CPUSchedulingPriority CPUSchedulingResetOnFork NUMAPolicy NUMAMask TimerSlackNSec CoredumpFilter',
    'limits has only nice and cpu_affinity for scheduling; ionice, chrt and numactl can start the program',
  ),
];
