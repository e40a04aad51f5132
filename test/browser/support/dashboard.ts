// `sup dashboard` of a scenario, and the address that it prints.
import type { Running } from '../../scenarios/support/command.ts';
import { eventually } from '../../scenarios/support/eventually.ts';
import type { Stage } from '../../scenarios/support/stage.ts';

export interface Dashboard {
  /** With the token in its fragment. */
  readonly url: string;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  readonly port: number;
  readonly running: Running;
}

/** Longer than a scenario may take: the end of the scenario ends it. */
const LIMIT_MS = 600_000;

export const beginDashboard = async (stage: Stage, ...args: readonly string[]): Promise<Dashboard> => {
  const port = args.includes('--port') ? [] : ['--port', '0'];
  const running = stage.begin(['dashboard', ...port, ...args], { limit: LIMIT_MS });
  const url = await eventually({
    what: 'the address of the dashboard',
    look: () => /http:\/\/\S+#\S+/.exec(running.stdout() + running.stderr())?.[0],
    instead: () => [running.stdout(), running.stderr()],
  });
  const { origin } = new URL(url);
  return { url, origin, port: Number(new URL(url).port), running };
};

/** Ends the companion as a crash does. */
export const killDashboard = async ({ running }: Dashboard): Promise<void> => {
  running.child.kill('SIGKILL');
  await running.ended;
};
