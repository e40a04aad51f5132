// Begins to carry out a signal to the supervisor: SIGTERM and SIGINT end it, and SIGHUP is an `apply`.
// Rules: `docs/behaviour.md`, "One supervisor"; `docs/behaviour.md`, "Restart by hand", "Each SIGHUP is an
// apply of its own".
import type { Draft } from '../draft.ts';
import { receive } from './receive-command.ts';
import { signalRequest } from './request.ts';
import { shutDown } from '../supervisor-end.ts';

/**
 * Carries out a signal to the supervisor as a command. SIGHUP is an apply; SIGTERM and SIGINT are a shutdown.
 */
export const signalled = (draft: Draft, signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): void => {
  const id = signalRequest(signal, draft.state.requests);
  draft.effects.push({ type: 'note', level: 'info', text: `received ${signal}` });
  if (signal === 'SIGHUP') receive(draft, { request: id, command: { type: 'apply', selection: {} } });
  else if (draft.state.phase === 'running') shutDown(draft, { id }, true);
};
