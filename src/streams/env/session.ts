// Variables that belong to somebody's login session, not to a service (`env.clear_session_vars`;
// `docs/behaviour.md`, "Environment").

const NAMES: ReadonlySet<string> = new Set([
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_VTNR',
  'XDG_SEAT',
  'WINDOWID',
  'STY',
  'TERM_SESSION_ID',
]);
const PREFIXES = ['SSH_', 'XDG_SESSION_', 'TMUX'];

/** It belongs to the session of whoever typed a command (its terminal, its desktop, its ssh), and not to a service. */
export const isSessionVariable = (name: string): boolean =>
  NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix));
