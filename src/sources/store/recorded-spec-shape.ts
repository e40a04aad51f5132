// The shape of a recorded `ServiceSpec` (a service as its manifest declares it): a check for each field.
import type { Check, HealthCheck } from '../../streams/domain/declared/health-check.ts';
import type {
  AlertSpec,
  Backoff,
  BlueGreen,
  CgroupSpec,
  CronSpec,
  Dependency,
  Deployment,
  EnvSpec,
  Hook,
  IsolationSpec,
  LandlockSpec,
  LimitsSpec,
  LogsSpec,
  PortsSpec,
  ProtectSpec,
  Privilege,
  SeccompSpec,
  ServiceSpec,
  SocketSpec,
  SpawnPolicy,
  WatchSpec,
} from '../../streams/domain/declared/spec.ts';
import {
  either,
  isBoolean,
  isCount,
  isNumber,
  isString,
  listOf,
  mapOf,
  oneOf,
  optional,
  record,
  tagged,
  type Shape,
} from './shape-checks.ts';

const isLaunch = tagged({ shell: { command: isString }, exec: { argv: listOf(isString) } });
const DEPENDENCY: Shape<Dependency> = {
  service: isString,
  condition: oneOf('started', 'completed'),
  required: optional(oneOf(false)),
};
const BACKOFF: Shape<Backoff> = { initial: isNumber, max: isNumber, factor: isNumber, jitter: isNumber };
const ENV: Shape<EnvSpec> = {
  vars: mapOf(isString),
  secrets: optional(mapOf(isString)),
  inherit: isBoolean,
  clearSession: isBoolean,
  strip: listOf(isString),
  clean: optional(isBoolean),
};
const HOOK: Shape<Hook> = { command: isString, timeout: optional(isNumber) };
const isReload = tagged({ signal: { signal: isString }, command: { command: isString } });
const CRON: Shape<CronSpec> = {
  expression: isString,
  timezone: isString,
  timeout: optional(isNumber),
  overlap: optional(oneOf('queue')),
  catchUp: optional(oneOf('once')),
  jitter: optional(isNumber),
};
const WATCH: Shape<WatchSpec> = {
  paths: listOf(isString),
  ignore: optional(listOf(isString)),
  debounce: isNumber,
  action: isString,
};
const LOGS: Shape<LogsSpec> = {
  sink: oneOf('file', 'none'),
  maxBytes: optional(isCount),
  maxFiles: optional(isCount),
  maxAge: optional(isNumber),
  compress: optional(isBoolean),
};
const CHECK: Shape<Check> = {
  probe: tagged({
    command: { command: isString },
    http: { url: isString },
    tcp: { tcp: isString },
    log: { log: isString },
    notify: {},
    watchdog: { watchdog: isNumber },
  }),
  interval: isNumber,
  startInterval: isNumber,
  startIntervalMax: optional(isNumber),
  afterReady: optional((value) => value === 'off' || isNumber(value)),
  attemptTimeout: isNumber,
  totalTimeout: isNumber,
  retries: isNumber,
  onFailure: optional(oneOf('stop', 'ignore')),
};
const HEALTH_CHECK: Shape<HealthCheck> = { ...CHECK, liveness: optional(record(CHECK)) };
const BLUE_GREEN: Shape<BlueGreen> = {
  envVar: isString,
  slots: (value) => listOf(isString)(value) && Array.isArray(value) && value.length === 2,
  switchCommand: isString,
  candidateHealthCheck: optional(record(HEALTH_CHECK)),
  switchVerify: optional(record(HEALTH_CHECK)),
  statePath: optional(isString),
};
const DEPLOYMENT: Shape<Deployment> = {
  strategy: oneOf('rolling', 'immediate'),
  preStart: optional(isString),
  healthCheck: optional(record(HEALTH_CHECK)),
  gracePeriod: isNumber,
  blueGreen: optional(record(BLUE_GREEN)),
};
const SPAWN: Shape<SpawnPolicy> = {
  mode: oneOf('static', 'dynamic'),
  children: isNumber,
  depth: isNumber,
  descendants: isNumber,
  totalMemory: optional(isNumber),
  terminationPolicy: oneOf('cascade', 'orphan', 'reparent'),
};
const isLimit = either(isNumber, oneOf('unlimited'));
const CGROUP: Shape<CgroupSpec> = {
  root: isString,
  memoryMax: optional(either(isNumber, oneOf('max'))),
  memoryHigh: optional(either(isNumber, oneOf('max'))),
  cpuMax: optional(isString),
  cpuWeight: optional(isNumber),
  pidsMax: optional(either(isNumber, oneOf('max'))),
};
const LIMITS: Shape<LimitsSpec> = {
  nofile: optional(isLimit),
  nproc: optional(isLimit),
  memlock: optional(isLimit),
  core: optional(isLimit),
  stack: optional(isLimit),
  fsize: optional(isLimit),
  nice: optional(isNumber),
  oomScoreAdj: optional(isNumber),
  cpuAffinity: optional(listOf(isCount)),
  cgroup: optional(record(CGROUP)),
};
const SECCOMP: Shape<SeccompSpec> = {
  profile: oneOf('baseline', 'none'),
  allow: listOf(isString),
  deny: listOf(isString),
  action: oneOf('errno', 'kill', 'log'),
};
const LANDLOCK: Shape<LandlockSpec> = {
  roPaths: listOf(isString),
  rwPaths: listOf(isString),
  execPaths: listOf(isString),
};
const PORTS: Shape<PortsSpec> = { bind: optional(listOf(isCount)), connect: optional(listOf(isCount)) };
const PROTECT: Shape<ProtectSpec> = {
  system: optional(oneOf('read_only', 'os_read_only')),
  home: optional(oneOf('hidden', 'read_only')),
  tmp: optional(oneOf('private')),
  devices: optional(oneOf('minimal')),
  proc: optional(oneOf('own')),
  kernel: optional(oneOf('read_only')),
};
const ISOLATION: Shape<IsolationSpec> = {
  network: isBoolean,
  mount: isBoolean,
  pid: isBoolean,
  user: isBoolean,
  seccomp: optional(record(SECCOMP)),
  landlock: optional(record(LANDLOCK)),
  ports: optional(record(PORTS)),
  addressFamilies: optional(listOf(isString)),
  protect: optional(record(PROTECT)),
  noNewPrivs: optional(isBoolean),
  apparmorProfile: optional(isString),
  selinuxContext: optional(isString),
  privateDevices: isBoolean,
  privateTmp: isBoolean,
};
const PRIVILEGE: Shape<Privilege> = {
  user: optional(isString),
  group: optional(isString),
  supplementaryGroups: listOf(isString),
  capabilities: optional(listOf(isString)),
  limits: optional(record(LIMITS)),
  isolation: optional(record(ISOLATION)),
  credentials: optional(mapOf(isString)),
};

const SOCKET: Shape<SocketSpec> = {
  name: isString,
  listen: tagged({ tcp: { host: isString, port: isCount }, unix: { path: isString } }),
  backlog: isCount,
};

/** True for a receiver of alerts: a command or an address. */
export const isReceiver = tagged({
  command: { command: isString, directory: isString },
  url: { url: isString },
});

export const ALERT: Shape<AlertSpec> = {
  on: listOf(oneOf('breaker-open', 'failed', 'unhealthy', 'rollout-failed', 'recovered')),
  to: isReceiver,
  timeout: isNumber,
  recoveredAfter: isNumber,
  secretFile: optional(isString),
};

export const SPEC: Shape<ServiceSpec> = {
  id: isString,
  project: isString,
  name: isString,
  kind: oneOf('service', 'cron'),
  schema: oneOf(2, 3),
  manifest: isString,
  directory: isString,
  launch: isLaunch,
  workingDir: isString,
  stateDir: optional(isString),
  dependsOn: listOf(record(DEPENDENCY)),
  env: record(ENV),
  restartPolicy: oneOf('always', 'on-failure', 'never'),
  backoff: record(BACKOFF),
  maxRestarts: isNumber,
  successExitCodes: optional(listOf(either(isCount, isString))),
  essential: optional(isBoolean),
  control: optional(isBoolean),
  stopSignal: isString,
  stopTimeout: isNumber,
  stopCommand: optional(isString),
  maxMemory: optional(isNumber),
  maxMemoryFor: optional(isNumber),
  watch: optional(record(WATCH)),
  reload: optional(isReload),
  hooks: mapOf(record(HOOK)),
  cron: optional(record(CRON)),
  deployment: record(DEPLOYMENT),
  logs: record(LOGS),
  skip: either(isBoolean, isString),
  spawn: record(SPAWN),
  privilege: record(PRIVILEGE),
  umask: optional(isString),
  runAs: optional(oneOf('supervisor', 'service')),
  sockets: optional(listOf(record(SOCKET))),
  alerts: optional(listOf(record(ALERT))),
  digest: isString,
};
