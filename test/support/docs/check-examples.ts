// Examples of the keys of health checks, for docs/manifest.md.
import type { Home } from './key-examples.ts';

const WEB = ['services', 'web'];

export const CHECK_HOMES: Readonly<Record<'health_check' | 'liveness', Home>> = {
  health_check: {
    path: [...WEB, 'deployment', 'health_check'],
    needs: { command: 'command: test -S run/web.sock' },
    examples: {
      command: 'command: test -S run/web.sock',
      url: 'url: "http://127.0.0.1:8080/health"',
      tcp: 'tcp: 5432',
      log: 'log: "ready to accept connections"',
      notify: 'notify: true',
      interval: 'interval: 1s',
      attempt_timeout: 'attempt_timeout: 2s',
      total_timeout: 'total_timeout: 1m',
      timeout: 'timeout: 1m',
      retries: 'retries: 5',
      start_interval: 'start_interval: 50ms',
      after_ready: 'after_ready: 10s',
      on_failure: 'on_failure: stop',
      liveness: 'liveness: { url: "http://127.0.0.1:8080/alive" }',
    },
  },
  liveness: {
    path: [...WEB, 'deployment', 'health_check', 'liveness'],
    needs: { command: 'command: ./is-alive' },
    examples: {
      command: 'command: ./is-alive',
      url: 'url: "http://127.0.0.1:8080/alive"',
      tcp: 'tcp: 8080',
      watchdog: 'watchdog: 30s',
      interval: 'interval: 30s',
      attempt_timeout: 'attempt_timeout: 2s',
      retries: 'retries: 5',
      on_failure: 'on_failure: stop',
    },
  },
};
