// The modules of all commands. Each is loaded on demand, so that a short command starts quickly.
import type { CommandName } from './grammar/command-table.ts';
import type { Handler } from './context.ts';

const HANDLERS: Readonly<Record<CommandName, () => Promise<Handler>>> = {
  start: async () => (await import('./commands/start/start.ts')).start,
  stop: async () => (await import('./commands/stop.ts')).stop,
  apply: async () => (await import('./commands/apply.ts')).apply,
  plan: async () => (await import('./commands/apply.ts')).plan,
  rollback: async () => (await import('./commands/rollback.ts')).rollback,
  scale: async () => (await import('./commands/scale/scale.ts')).scale,
  restart: async () => (await import('./commands/restart.ts')).restart,
  reload: async () => (await import('./commands/reload.ts')).reload,
  kill: async () => (await import('./commands/kill/kill.ts')).kill,
  exec: async () => (await import('./commands/exec/exec.ts')).exec,
  event: async () => (await import('./commands/spawn/report-event.ts')).event,
  spawn: async () => (await import('./commands/spawn/spawn.ts')).spawn,
  status: async () => (await import('./commands/status.ts')).status,
  inspect: async () => (await import('./commands/inspect.ts')).inspect,
  why: async () => (await import('./commands/why/why.ts')).why,
  security: async () => (await import('./commands/security/security.ts')).security,
  wait: async () => (await import('./commands/wait/wait.ts')).wait,
  events: async () => (await import('./commands/events.ts')).events,
  metrics: async () => (await import('./commands/metrics.ts')).metrics,
  logs: async () => (await import('./commands/logs/logs.ts')).logs,
  validate: async () => (await import('./commands/validate/validate.ts')).validate,
  config: async () => (await import('./commands/validate/config.ts')).config,
  import: async () => (await import('./commands/exchange/import.ts')).importCommand,
  export: async () => (await import('./commands/exchange/export.ts')).exportCommand,
  schema: async () => (await import('./commands/schema.ts')).schema,
  migrate: async () => (await import('./commands/migrate/migrate.ts')).migrate,
  supervise: async () => (await import('./commands/supervise.ts')).supervise,
  shutdown: async () => (await import('./commands/shutdown/shutdown.ts')).shutdown,
  upgrade: async () => (await import('./commands/upgrade.ts')).upgrade,
  forget: async () => (await import('./commands/forget.ts')).forget,
  purge: async () => (await import('./commands/purge/purge.ts')).purge,
  boot: async () => (await import('./commands/boot/boot.ts')).boot,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  doctor: async () => (await import('./commands/doctor/doctor.ts')).doctor,
  dashboard: async () => (await import('./commands/dashboard/dashboard.ts')).dashboard,
  version: async () => (await import('./commands/version.ts')).version,
  completion: async () => (await import('./commands/completion/completion.ts')).completion,
  help: async () => (await import('./commands/help.ts')).help,
};

/** Loads the module of a command and resolves to its handler. */
export const handlerOf = (name: CommandName): Promise<Handler> => HANDLERS[name]();
