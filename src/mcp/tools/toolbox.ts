// The tools of a session: lists the permitted tools, carries out calls, and records each call.
import { ClientFailure } from '../../client/client-failure.ts';
import type { Sup } from '../../client/api/sup-interface.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { errorDocument } from '../../streams/views/errors/error-text.ts';
import { Failure } from '../../streams/views/errors/command-failure.ts';
import type { Fields } from '../../streams/wire/params/checked-fields.ts';
import type { ErrorDocument } from '../../streams/wire/documents/basic-documents.ts';
import { type AllowRule, CHANGES, isChange } from '../changes/allow-rules.ts';
import { ShownPlans } from '../changes/shown-plans.ts';
import { CallRecord } from '../call-record.ts';
import type { CallContext, Toolbox } from '../protocol/mcp-session.ts';
import { CHANGING } from './changing-tools.ts';
import { cleanDocument, textOf } from './clean-document.ts';
import { INSPECT, PLAN } from './inspect-tools.ts';
import { EVENTS, LOGS } from './log-tools.ts';
import { pageOf } from './paging.ts';
import { METRICS, STATUS, WHY } from './status-tools.ts';
import { misunderstood, notAllowed, type ToolAnswer, type AgentTool } from './tool.ts';
import { checkArguments, inputSchema } from './tool-arguments.ts';

const READING: readonly AgentTool[] = [STATUS, WHY, EVENTS, LOGS, INSPECT, PLAN, METRICS];

const listedAs = ({ name, title, describe, takes, required = [], effect }: AgentTool): object => ({
  name,
  title,
  description: describe,
  inputSchema: inputSchema(takes, required),
  annotations: {
    title,
    readOnlyHint: effect === undefined,
    destructiveHint: effect === 'destroys',
    idempotentHint: effect === undefined || name === 'start' || name === 'stop',
    openWorldHint: false,
  },
});

const toolOf = (name: string): AgentTool | undefined =>
  isChange(name) ? CHANGING[name] : READING.find((tool) => tool.name === name);

const errorIn = (thrown: unknown): ErrorDocument =>
  thrown instanceof ClientFailure || thrown instanceof Failure
    ? thrown.document
    : errorDocument({ code: 'ERR0001', detail: messageOf(thrown) });

/** Maximum number of errors of single services in the error of a command. */
const MOST_ERRORS = 20;

const failed = ({ errors: all = [], ...error }: ErrorDocument): ToolAnswer => {
  const page = pageOf(all, MOST_ERRORS);
  const short = { ...error, ...(all.length > 0 && { errors: page.shown }) };
  const document = cleanDocument({ schema: 'sup.error/1', error: short, warnings: [] });
  const { code, message, hint, errors = [] } = document.error;
  const rest = page.total - page.shown.length;
  const lines = [
    `${code} ${message}`,
    ...errors.map((one) => `  ${one.code} ${one.message}`),
    ...(rest === 0 ? [] : [`  and ${rest} more errors; status and why tell of each service`]),
    ...(hint === null ? [] : [`what to do: ${hint}`]),
  ];
  return { text: textOf(lines), content: { document } };
};

/** Errors with which `sup mcp` itself refuses a call that would change something. */
const OWN_REFUSALS: ReadonlySet<string> = new Set(['ERR0241', 'ERR0242', 'ERR0243']);

/**
 * True if `sup mcp` has refused the call without sending it to the supervisor. A refusal of the supervisor is
 * a `ClientFailure`, and the supervisor has recorded the call.
 */
const isOwnRefusal = (thrown: unknown): boolean =>
  thrown instanceof Failure && OWN_REFUSALS.has(thrown.document.code);

interface ToolboxPorts {
  readonly sup: Sup;
  readonly rules: readonly AllowRule[];
}

/**
 * Maximum number of characters of `structuredContent`, as JSON. A page exceeds it only if a single entry is
 * that large.
 */
const LARGEST_CONTENT = 120_000;

/** Returns the content for programs. If it is too large, returns the reason why it is left out. */
const contentOf = ({ content }: ToolAnswer): object => {
  const size = JSON.stringify(content).length;
  return size <= LARGEST_CONTENT ? content : { left_out: `the document has ${size} characters; select less` };
};

const resultOf = (answer: ToolAnswer, isError: boolean, notes: readonly string[]): object => ({
  content: [{ type: 'text', text: [answer.text, ...notes].join('\n') }],
  structuredContent: contentOf(answer),
  ...(isError && { isError }),
});

export class McpTools implements Toolbox {
  readonly listed: readonly object[];
  readonly #ports: ToolboxPorts;
  readonly #allowed: ReadonlySet<string>;
  readonly #plans = new ShownPlans();
  readonly #record: CallRecord;

  constructor(ports: ToolboxPorts) {
    const { sup, rules } = ports;
    this.#ports = ports;
    this.#allowed = new Set(rules.flatMap(({ changes }) => changes));
    const changing = CHANGES.filter((change) => this.#allowed.has(change)).map((change) => CHANGING[change]);
    this.listed = [...READING, ...changing].map(listedAs);
    this.#record = new CallRecord((call, times) => sup.called(call, times));
  }

  async call(name: string, given: Fields, context: CallContext): Promise<object | undefined> {
    const tool = toolOf(name);
    if (tool === undefined) return undefined;
    const isReading = !isChange(name);
    const recorded = isReading ? this.#note(name) : undefined;
    try {
      const answer = await this.#run(tool, given, context);
      return resultOf(answer, false, (await recorded) ?? []);
    } catch (thrown) {
      const error = errorIn(thrown);
      const isRefused = !isReading && isOwnRefusal(thrown);
      const notes = await (isRefused ? this.#note(`${name}, refused`) : recorded);
      return resultOf(failed(error), true, notes ?? []);
    }
  }

  end(): Promise<void> {
    return this.#record.end();
  }

  #run(
    { name, takes, required = [], run }: AgentTool,
    given: Fields,
    context: CallContext,
  ): Promise<ToolAnswer> {
    if (isChange(name) && !this.#allowed.has(name)) throw notAllowed(name);
    const checked = checkArguments(takes, required, given);
    if (!checked.ok) throw misunderstood(name, checked.problem);
    return run(checked.value, { ...context, ...this.#ports, plans: this.#plans });
  }

  /**
   * Records a call. Resolves to a line with the reason if the call cannot be recorded, otherwise to no lines.
   */
  async #note(call: string): Promise<readonly string[]> {
    try {
      await this.#record.note(call);
      return [];
    } catch (thrown) {
      const { code, message } = errorIn(thrown);
      return [`note: this call is not recorded in events: ${code} ${message}`];
    }
  }
}
