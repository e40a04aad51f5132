// An example for each key of the manifest. `key-manifests.ts` makes whole manifests of them.
import { CHECK_HOMES } from './check-examples.ts';
import { PRIVILEGE_HOMES } from './privilege-examples.ts';

export type Examples = Readonly<Record<string, string>>;

/** A map of the manifest, at this path from the top: its keys are declared there, beside these. */
export interface Home {
  readonly path: readonly string[];
  /** Keys that the map needs, unless the example has them. */
  readonly needs?: Examples;
  readonly examples: Examples;
}

export const WEB = ['services', 'web'];
const ROLLOUT = [...WEB, 'deployment', 'blue_green'];
const SLOTS = {
  slots: 'slots: [8001, 8002]',
  switch_command: 'switch_command: ./switch.sh {candidate_slot}',
};

/** One entry for each table of the decoder, by its name. */
export const HOMES: Readonly<Record<string, Home>> = {
  manifest: {
    path: [],
    examples: {
      version: 'version: 2',
      projects: 'projects: { shop: { services: { web: { command: node web.js } } } }',
      project: 'project: shop',
      env: 'env: { vars: { STAGE: production } }',
      logs: 'logs: { max_files: 3 }',
      status: 'status: { snapshot_mode: detailed }',
      metrics: 'metrics: { retention_minutes: 60 }',
      alerts: 'alerts: [{ url: "https://hooks.example.com/sup" }]',
      services: 'services: { web: { command: node web.js } }',
    },
  },
  alert: {
    path: ['alerts', '0'],
    needs: { url: 'url: https://hooks.example.com/sup' },
    examples: {
      on: 'on: [breaker-open, failed, recovered]',
      command: 'command: ./page "$SUP_SERVICE $SUP_ALERT"',
      url: 'url: https://hooks.example.com/sup',
      timeout: 'timeout: 5s',
      recovered_after: 'recovered_after: 5m',
      secret: 'secret: { file: alerts.key }',
    },
  },
  alert_secret: {
    path: ['alerts', '0'],
    needs: { url: 'url: https://hooks.example.com/sup' },
    examples: { file: 'secret: { file: alerts.key }' },
  },
  project: {
    path: ['projects', 'shop'],
    needs: { services: 'services: { web: { command: node web.js } }' },
    examples: {
      name: 'name: The Shop',
      services: 'services: { web: { command: node web.js } }',
      env: 'env: { vars: { STAGE: production } }',
      logs: 'logs: { max_bytes: 50M }',
    },
  },
  singular_project: {
    path: ['project'],
    needs: { id: 'id: shop' },
    examples: { id: 'id: shop', name: 'name: The Shop' },
  },
  service: {
    path: WEB,
    examples: {
      command: 'command: node web.js --port 8080',
      exec: 'exec: [node, web.js, --port, 8080]',
      working_dir: 'working_dir: app',
      depends_on: 'depends_on: [db]',
      env: 'env: { vars: { PORT: 8080 } }',
      profiles: 'profiles: [dev]',
      restart_policy: 'restart_policy: always',
      backoff: 'backoff: { initial: 500ms, max: 1m }',
      max_restarts: 'max_restarts: 20',
      success_exit_codes: 'success_exit_codes: [143, SIGINT]',
      essential: 'essential: true',
      control: 'control: true',
      watch: 'watch: { paths: [src] }',
      max_memory: 'max_memory: 512M',
      max_memory_for: 'max_memory_for: 1m',
      stop_command: 'stop_command: kill -QUIT $SUP_PID',
      stop_signal: 'stop_signal: SIGINT',
      stop_timeout: 'stop_timeout: 30s',
      reload: 'reload: { signal: HUP }',
      hooks: 'hooks: { onerr: { command: ./page-me.sh } }',
      cron: 'cron: { expression: "30 3 * * *" }',
      replicas: 'replicas: 4',
      deployment: 'deployment: { strategy: rolling }',
      sockets: 'sockets: [{ name: http, listen: 8080 }]',
      logs: 'logs: { sink: none }',
      skip: 'skip: test -f /etc/web-disabled',
      spawn: 'spawn: { mode: dynamic }',
      user: 'user: www-data',
      group: 'group: www-data',
      supplementary_groups: 'supplementary_groups: [ssl-cert]',
      capabilities: 'capabilities: [NET_BIND_SERVICE]',
      umask: 'umask: "0027"',
      run_as: 'run_as: service',
      state_dir: 'state_dir: /var/lib/shop',
      credentials: 'credentials: { tls.key: { file: secrets/tls.key } }',
      limits: 'limits: { nofile: 65536 }',
      isolation: 'isolation: { seccomp: baseline }',
      'x-image': 'x-image: "registry.example.com/shop/web:1.2"',
    },
  },
  dependency: {
    path: [...WEB, 'depends_on', '0'],
    needs: { service: 'service: db' },
    examples: { service: 'service: db', condition: 'condition: completed', required: 'required: false' },
  },
  backoff: {
    path: [...WEB, 'backoff'],
    examples: { initial: 'initial: 500ms', max: 'max: 1m', factor: 'factor: 3', jitter: 'jitter: 0.1' },
  },
  reload: { path: [...WEB, 'reload'], examples: { signal: 'signal: HUP' } },
  env: {
    path: [...WEB, 'env'],
    examples: {
      vars: 'vars: { PORT: 8080, HOST: 127.0.0.1 }',
      file: 'file: web.env',
      secrets: 'secrets: { DB_PASSWORD: { file: secrets/db } }',
      inherit_env: 'inherit_env: true',
      clean: 'clean: true',
      clear_session_vars: 'clear_session_vars: false',
      strip: 'strip: [NODE_ENV]',
    },
  },
  secret: { path: [...WEB, 'env', 'secrets', 'DB_PASSWORD'], examples: { file: 'file: secrets/db' } },
  credential: {
    path: [...WEB, 'credentials', 'tls.key'],
    examples: { file: 'file: secrets/tls.key' },
  },
  logs: {
    path: [...WEB, 'logs'],
    examples: {
      sink: 'sink: none',
      max_bytes: 'max_bytes: 50M',
      max_files: 'max_files: 3',
      max_age: 'max_age: 7d',
      compress: 'compress: true',
    },
  },
  hooks: {
    path: [...WEB, 'hooks'],
    examples: {
      onstart: 'onstart: { command: ./announce.sh }',
      onerr: 'onerr: { command: ./page-me.sh, timeout: 10s }',
      on_start: 'on_start: { error: { command: ./page-me.sh } }',
      on_stop: 'on_stop: { success: { command: ./say-goodbye.sh } }',
      on_restart: 'on_restart: { success: { command: echo back again } }',
    },
  },
  stage: {
    path: [...WEB, 'hooks', 'on_start'],
    examples: { success: 'success: { command: ./announce.sh }', error: 'error: { command: ./page-me.sh }' },
  },
  hook: {
    path: [...WEB, 'hooks', 'onerr'],
    needs: { command: 'command: ./page-me.sh' },
    examples: { command: 'command: ./page-me.sh', timeout: 'timeout: 10s' },
  },
  watch: {
    path: [...WEB, 'watch'],
    needs: { paths: 'paths: [src]' },
    examples: { paths: 'paths: [a]', ignore: 'ignore: [b]', debounce: 'debounce: 1s', action: 'action: HUP' },
  },
  cron: {
    path: [...WEB, 'cron'],
    needs: { expression: 'expression: "30 3 * * *"' },
    examples: {
      expression: 'expression: "0 30 3 * * MON-FRI"',
      timezone: 'timezone: Europe/Berlin',
      timeout: 'timeout: 1h',
      overlap: 'overlap: queue',
      catch_up: 'catch_up: once',
      jitter: 'jitter: 30s',
    },
  },
  deployment: {
    path: [...WEB, 'deployment'],
    examples: {
      strategy: 'strategy: rolling',
      pre_start: 'pre_start: node check-config.js',
      health_check: 'health_check: { url: "http://127.0.0.1:8080/health" }',
      grace_period: 'grace_period: 5s',
      blue_green: 'blue_green: { slots: [8001, 8002], switch_command: "./switch.sh {candidate_slot}" }',
    },
  },
  ...CHECK_HOMES,
  blue_green: {
    path: ROLLOUT,
    needs: SLOTS,
    examples: {
      env_var: 'env_var: WEB_PORT',
      ...SLOTS,
      candidate_health_check: 'candidate_health_check: { url: "http://127.0.0.1:{slot}/health" }',
      switch_verify: 'switch_verify: { url: "http://127.0.0.1:8080/health" }',
      state_path: 'state_path: run/slot',
    },
  },
  socket: {
    path: [...WEB, 'sockets', '0'],
    needs: { name: 'name: http', listen: 'listen: 8080' },
    examples: { name: 'name: http', listen: 'listen: "127.0.0.1:8080"', backlog: 'backlog: 1024' },
  },
  spawn: {
    path: [...WEB, 'spawn'],
    needs: { mode: 'mode: dynamic' },
    examples: { mode: 'mode: dynamic', limits: 'limits: { children: 10, depth: 1 }' },
  },
  spawn_limits: {
    path: [...WEB, 'spawn', 'limits'],
    examples: {
      children: 'children: 10',
      depth: 'depth: 1',
      descendants: 'descendants: 50',
      total_memory: 'total_memory: 1G',
      termination_policy: 'termination_policy: orphan',
    },
  },
  ...PRIVILEGE_HOMES,
  status: {
    path: ['status'],
    examples: {
      snapshot_mode: 'snapshot_mode: detailed',
      snapshot_interval_secs: 'snapshot_interval_secs: 10',
    },
  },
  metrics: {
    path: ['metrics'],
    examples: {
      retention_minutes: 'retention_minutes: 60',
      sample_interval_secs: 'sample_interval_secs: 5',
      max_memory_bytes: 'max_memory_bytes: 20M',
      spillover_path: 'spillover_path: metrics',
      spillover_max_bytes: 'spillover_max_bytes: 1G',
      spillover_segment_bytes: 'spillover_segment_bytes: 16M',
    },
  },
};
