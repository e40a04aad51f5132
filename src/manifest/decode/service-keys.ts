// Decodes `skip`, and keys of a service with objects or several forms (`docs/manifest.md`, "backoff",
// "depends_on", "reload", "spawn", "hooks").
import { OTHER_RELOAD_WORDS } from './key-hints.ts';
import { duration, positiveDuration } from './scalars/durations.ts';
import { decimal, flag, oldWordHint, whole } from './scalars/number.ts';
import { read, refused, scalar } from './scalars/scalar.ts';
import { size } from './scalars/sizes.ts';
import { signal } from './scalars/system-values.ts';
import { oneOf, text } from './scalars/text.ts';
import { byShape, list, located, mapped } from './shapes/composite.ts';
import type { Decoder } from './shapes/decoder.ts';
import { defaulted, NESTED, optional, required } from './shapes/fields.ts';
import { object } from './shapes/object.ts';
import type { Backoff, Reload } from '../../streams/domain/declared/spec.ts';

export const growing = object({
  name: 'backoff',
  fields: {
    initial: defaulted(duration, '1s', 'Before the first attempt.'),
    max: defaulted(duration, '30s', 'Never longer than this.'),
    factor: defaulted(
      decimal(1, 100),
      2,
      'Factor by which the time grows from one attempt to the next, 1..100.',
    ),
    jitter: defaulted(decimal(0, 1), 0, 'Part of the time by which it varies at random, 0..1.'),
  },
});

const constant = mapped(duration, (time): Backoff => ({ initial: time, max: time, factor: 1, jitter: 0 }));

export const backoff = byShape(constant, growing);

export const dependency = object({
  name: 'dependency',
  fields: {
    service: required(text, 'A service of the same project.'),
    condition: defaulted(
      oneOf('started', 'completed'),
      'started',
      '`started`: the dependency is ready, or is a one-shot that is done. `completed`: it has ended successfully.',
    ),
    required: defaulted(
      flag,
      true,
      '`false`: the service waits only while the dependency is starting. If the dependency fails, the service starts or stays up.',
    ),
  },
});

export interface DependencyDeclaration {
  readonly service: string;
  readonly condition: 'started' | 'completed';
  readonly required: boolean;
}

const bare = mapped(text, (service): DependencyDeclaration => ({
  service,
  condition: 'started',
  required: true,
}));

export const dependsOn = list(located(byShape(bare, dependency)));

export const reloadSignal = object({
  name: 'reload',
  elsewhere: OTHER_RELOAD_WORDS,
  fields: { signal: required(signal, 'Signal to the main process.') },
});

export const reload = byShape(
  mapped(text, (command): Reload => ({ tag: 'command', command })),
  mapped(reloadSignal, (declared): Reload => ({ tag: 'signal', signal: declared.signal })),
);

export const spawnLimits = object({
  name: 'spawn_limits',
  fields: {
    children: defaulted(whole({ min: 0 }), 100, 'Children alive at once.'),
    depth: defaulted(whole({ min: 0 }), 3, 'Levels of children of children.'),
    descendants: defaulted(whole({ min: 0 }), 500, 'Descendants alive at once.'),
    total_memory: optional(size, 'Memory of the whole tree.', 'no limit'),
    termination_policy: defaulted(
      oneOf('cascade', 'orphan', 'reparent'),
      'cascade',
      'What happens to the children when the service ends.',
    ),
  },
});

export const spawn = object({
  name: 'spawn',
  fields: {
    mode: defaulted(
      oneOf('static', 'dynamic'),
      'static',
      '`static`: the supervisor only observes processes that the service forks. `dynamic`: the service may also ask the supervisor for children.',
    ),
    limits: defaulted(spawnLimits, NESTED, 'Limits of dynamic children.'),
  },
});

/**
 * Matches the words `yes`, `no`, `on` and `off`. The pattern lists both cases of each letter, because JSON
 * Schema has no flag that ignores case.
 */
const OLD_WORD = '^([yY][eE][sS]|[nN][oO]|[oO][nN]|[oO][fF][fF])$';

const isCommand = (text: string): boolean => text.trim() !== '' && !text.includes('\0');

export const skip: Decoder<boolean | string> = scalar<boolean | string>({
  label: 'bool or command',
  schema: { anyOf: [{ type: 'boolean' }, { type: 'string', minLength: 1, not: { pattern: OLD_WORD } }] },
  read: ({ kind, text }) => {
    const hint = kind === 'number' ? undefined : oldWordHint(text);
    if (hint !== undefined) return refused('is neither true nor false, nor a command', hint);
    if (kind === 'flag' || (kind === 'expanded' && /^(true|false)$/i.test(text)))
      return read(text.toLowerCase() === 'true');
    return kind !== 'number' && isCommand(text)
      ? read(text)
      : refused('is neither true, false nor a command');
  },
});

export const hook = object({
  name: 'hook',
  fields: {
    command: required(text, 'Run through `sh -c`.'),
    timeout: optional(positiveDuration, 'Maximum execution time.', 'no limit'),
  },
});

export const stage = object({
  name: 'stage',
  fields: {
    success: optional(hook, 'Runs when the stage succeeds.'),
    error: optional(hook, 'Runs when the stage fails.'),
  },
});

export const hooks = object({
  name: 'hooks',
  fields: {
    onstart: optional(hook, 'Runs after readiness, or after a one-shot completed.'),
    onerr: optional(hook, 'Runs after an unsuccessful exit.'),
    on_start: optional(stage, 'Hooks of the attempt to start.'),
    on_stop: optional(stage, 'Hooks of each exit, after a stop or after a failure.'),
    on_restart: optional(stage, 'Hooks of an automatic restart after a crash.'),
  },
});
