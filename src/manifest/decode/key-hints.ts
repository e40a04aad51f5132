// Advice for unknown keys: keys that belong to another place of the manifest, and keys of other tools
// (Compose, Kubernetes, systemd, supervisord, pm2, process-compose).

const WORKING_DIR = 'it is called working_dir';
const INSTANCES = 'replicas starts several instances of a service, such as web@1 and web@2';
const RESTARTS = 'restart_policy: always, on-failure or never';
const OUTPUT = 'sup captures the output: sup logs shows it, and logs sets its sizes';
const CHECK = 'it stands under deployment.health_check, which is also asked after readiness';
const STAYS_UP =
  'timeouts/startup_stability_ms of supervisor.xml sets how long a service must stay up to be ready';
const SUCCESS = 'it is called success_exit_codes';
const STOP_TIME = 'it is called stop_timeout';
const WHOLE_TREE = 'sup always stops the whole process tree: leave the key out';
const RUNS = 'give command (a line for the shell) or exec (a list of words)';
const NEEDS = 'it is called depends_on';
const CGROUP = 'it stands under limits.cgroup';
export const ALERTS = 'alerts stand at the top level, for the whole manifest';
const FILES = 'a service sees the files of the machine; isolation.landlock restricts the paths';

/** Advice for unknown keys of a service. It takes precedence over "did you mean …?" with a similar key. */
export const OTHER_WORDS: Readonly<Record<string, string>> = {
  After: NEEDS,
  Environment: 'variables stand under env.vars',
  EnvironmentFile: 'it stands under env.file',
  ExecReload: 'it is called reload',
  ExecStart: RUNS,
  ExecStartPre: 'it stands under deployment.pre_start',
  ExecStop: 'it is called stop_command',
  Requires: NEEDS,
  Restart: RESTARTS,
  RestartSec: 'it is called backoff',
  SuccessExitStatus: SUCCESS,
  TimeoutStopSec: STOP_TIME,
  User: 'it is called user',
  WorkingDirectory: WORKING_DIR,
  alerts: ALERTS,
  args: 'give the program and its arguments in exec: [program, argument, …]',
  autorestart: RESTARTS,
  autostart: 'every service starts with its project; skip: true leaves one out',
  availability: 'restart_policy, backoff and max_restarts stand in the service itself',
  build: 'sup runs programs, not images: give command or exec',
  cap_add: 'it is called capabilities',
  cron_restart: 'give a service of its own cron, and the command sup restart <service>',
  cwd: WORKING_DIR,
  deploy: 'it is called deployment',
  directory: WORKING_DIR,
  entrypoint: RUNS,
  env_file: 'it stands under env.file',
  environment: 'variables stand under env.vars',
  exec_mode: INSTANCES,
  exitcodes: SUCCESS,
  healthcheck: 'health checks stand under deployment.health_check',
  image: 'sup runs programs, not images: give command or exec',
  instances: INSTANCES,
  interpreter: 'give both in exec: [interpreter, script]',
  kill_timeout: STOP_TIME,
  killasgroup: WHOLE_TREE,
  labels: 'sup knows no labels: write a comment instead',
  liveness: 'it stands under deployment.health_check',
  liveness_probe: 'it is called liveness, and stands under deployment.health_check',
  logging: OUTPUT,
  max_memory_restart: 'it is called max_memory',
  mem_limit: CGROUP,
  min_uptime: STAYS_UP,
  notify: 'it stands under deployment.health_check',
  networks: 'a service uses the network of the machine; isolation.network gives it one of its own',
  numprocs: INSTANCES,
  on_error: 'hooks.onerr runs after an unsuccessful exit',
  ports: 'a service opens its ports itself; give it the number in env.vars',
  priority: 'depends_on sets the order of services',
  readiness_probe: CHECK,
  restart: RESTARTS,
  restart_delay: 'it is called backoff',
  rolling: 'deployment.strategy: rolling',
  scale: INSTANCES,
  script: RUNS,
  secrets: 'they stand under env.secrets, each as NAME: { file: path }',
  shutdown: 'stop_command, stop_signal and stop_timeout stand in the service itself',
  startretries: 'it is called max_restarts',
  startsecs: STAYS_UP,
  stderr_logfile: OUTPUT,
  stdout_logfile: OUTPUT,
  stop_exit_codes: SUCCESS,
  stop_grace_period: STOP_TIME,
  stopasgroup: WHOLE_TREE,
  stopsignal: 'it is called stop_signal',
  stopwaitsecs: STOP_TIME,
  tcp: 'it stands under deployment.health_check',
  ulimits: 'it is called limits',
  version: 'only the root manifest declares version',
  volumes: FILES,
  working_directory: WORKING_DIR,
};

const SERVICES = 'services stand under services';

export const OTHER_TOP_WORDS: Readonly<Record<string, string>> = {
  apps: SERVICES,
  configs: 'a service reads its files from the machine',
  include: 'write !include <file> as the value of a key',
  name: 'a project has a name: projects.<id>.name',
  networks: 'services use the network of the machine; isolation.network of a service gives it one of its own',
  processes: SERVICES,
  programs: SERVICES,
  secrets: 'they stand under env.secrets, of a service or for all: NAME: { file: path }',
  volumes: FILES,
};

export const OTHER_CHECK_WORDS: Readonly<Record<string, string>> = {
  exec: 'it is called command, one line for the shell',
  failure_threshold: 'it is called retries',
  http_get: 'it is called url, one address with its port',
  initial_delay_seconds:
    'probes begin at once, and fail no service before total_timeout and retries are spent',
  period_seconds: 'it is called interval, such as 10s',
  start_period: 'it is called total_timeout',
  port: 'it is called tcp',
  tcp_socket: 'it is called tcp, a port or host:port',
  test: 'it is called command, one line for the shell',
  timeout_seconds: 'it is called attempt_timeout, such as 5s',
};

export const OTHER_CRON_WORDS: Readonly<Record<string, string>> = {
  schedule: 'it is called expression',
  time_zone: 'it is called timezone',
};

export const OTHER_RELOAD_WORDS: Readonly<Record<string, string>> = {
  command: 'write the command itself, without a key: reload: ./reload.sh',
};
