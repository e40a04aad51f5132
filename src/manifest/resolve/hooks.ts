// Resolves both hook forms into one map: Form A by its name, Form B as `<stage>.<outcome>`
// (`docs/hooks.md`, "Two forms").
import type { Hook, HookName } from '../../streams/domain/declared/spec.ts';
import type { hook, hooks, stage } from '../decode/service/hooks.ts';
import type { ValueOf } from './declared.ts';
import { present } from './present.ts';

const asHook = (declared: ValueOf<typeof hook> | undefined): Hook | undefined =>
  declared === undefined ? undefined : present({ command: declared.command, timeout: declared.timeout });

interface Outcomes {
  readonly success: Hook | undefined;
  readonly error: Hook | undefined;
}

const outcomes = (declared: ValueOf<typeof stage> | undefined): Outcomes => ({
  success: asHook(declared?.success),
  error: asHook(declared?.error),
});

export const resolveHooks = (
  declared: ValueOf<typeof hooks> | undefined,
): Readonly<Partial<Record<HookName, Hook>>> => {
  const start = outcomes(declared?.on_start);
  const stop = outcomes(declared?.on_stop);
  const restart = outcomes(declared?.on_restart);
  return present({
    onstart: asHook(declared?.onstart),
    onerr: asHook(declared?.onerr),
    'on_start.success': start.success,
    'on_start.error': start.error,
    'on_stop.success': stop.success,
    'on_stop.error': stop.error,
    'on_restart.success': restart.success,
    'on_restart.error': restart.error,
  });
};
