// Variables that belong to a login session, not to a service (`env.clear_session_vars`;
// `docs/behaviour.md`, "Environment").
// Rules: `docs/behaviour.md`, "Environment", "Session variables".

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

/** True for a variable of the user's session (terminal, desktop, ssh) and not of a service. */
export const isSessionVariable = (name: string): boolean =>
  NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix));
