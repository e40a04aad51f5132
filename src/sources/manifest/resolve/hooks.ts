// Both hook forms in one map: Form A by its name, Form B as `<stage>.<outcome>` (`spec/gaps` §6).
import type { Hook, HookName } from '../../../streams/domain/spec.ts';
import type { hook, hooks } from '../decode/hooks.ts';
import type { ValueOf } from './declared.ts';
import { present } from './present.ts';

type Declared = ValueOf<typeof hook> | undefined;

const asHook = (declared: Declared): Hook | undefined =>
  declared === undefined ? undefined : present({ command: declared.command, timeout: declared.timeout });

export const resolveHooks = (
  declared: ValueOf<typeof hooks> | undefined,
): Readonly<Partial<Record<HookName, Hook>>> =>
  present({
    onstart: asHook(declared?.onstart),
    onerr: asHook(declared?.onerr),
    'on_start.success': asHook(declared?.on_start?.success),
    'on_start.error': asHook(declared?.on_start?.error),
    'on_stop.success': asHook(declared?.on_stop?.success),
    'on_stop.error': asHook(declared?.on_stop?.error),
    'on_restart.success': asHook(declared?.on_restart?.success),
    'on_restart.error': asHook(declared?.on_restart?.error),
  });
