// The types of a tool and of its result: a short text for an agent, and documents for programs.
import type { Sup } from '../../client/api/sup-interface.ts';
import type { Selection } from '../../streams/domain/command.ts';
import { failure, type Failure } from '../../streams/views/errors/command-failure.ts';
import type { AllowRule } from '../changes/allow-rules.ts';
import type { ShownPlans } from '../changes/shown-plans.ts';
import type { CallContext } from '../protocol/mcp-session.ts';
import { type Arguments, namesIn, type Parameters } from './tool-arguments.ts';

/**
 * What a tool can use during a call: the supervisor, the rules of `--allow`, and the plans that the agent has
 * seen.
 */
export interface Around extends CallContext {
  readonly sup: Sup;
  readonly rules: readonly AllowRule[];
  readonly plans: ShownPlans;
}

/** The result of a call. `text` is for the agent. `content` has documents and counts for programs. */
export interface ToolAnswer {
  readonly text: string;
  readonly content: Readonly<Record<string, unknown>>;
}

export interface AgentTool {
  readonly name: string;
  readonly title: string;
  readonly describe: string;
  readonly takes: Parameters;
  readonly required?: readonly string[];
  /**
   * What the tool changes. `changes`: it starts processes. `destroys`: it ends processes. Absent: it only
   * reads.
   */
  readonly effect?: 'changes' | 'destroys';
  readonly run: (given: Arguments, around: Around) => Promise<ToolAnswer>;
}

/** Returns a number with its noun: `1 service`, `2 services`. */
export const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The line in a result that was read from the records, because no supervisor answers. */
export const UNANSWERED = 'no supervisor answers: this is what was last recorded';

/** The parameters with which most tools select services. */
export const SELECTING = {
  services: {
    type: 'names',
    describe: 'Names or patterns of services: web, shop/web, shop/*, web@2. Without it: all',
  },
  projects: { type: 'names', describe: 'Only services of these projects, by id' },
} as const satisfies Parameters;

/** Returns the selection in the arguments. */
export const selectionIn = (given: Arguments): Selection => {
  const [services, projects] = [namesIn(given, 'services'), namesIn(given, 'projects')];
  return { ...(services && { services }), ...(projects && { projects }) };
};

/** Returns ERR0243, for a call with arguments that the tool does not understand. */
export const misunderstood = (call: string, detail: string): Failure =>
  failure({ code: 'ERR0243', call, detail });

/** Returns ERR0241, for a change that no rule permits. */
export const notAllowed = (change: string, services: readonly string[] = []): Failure =>
  failure({ code: 'ERR0241', change, services });
