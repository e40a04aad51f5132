import { describe, expect, it } from 'vitest';
import { isSessionVariable } from '../../../src/streams/env/session.ts';

describe('a session variable', () => {
  it.each([
    'SSH_AUTH_SOCK',
    'SSH_CLIENT',
    'DISPLAY',
    'WAYLAND_DISPLAY',
    'XAUTHORITY',
    'DBUS_SESSION_BUS_ADDRESS',
    'XDG_SESSION_ID',
    'XDG_VTNR',
    'XDG_SEAT',
    'WINDOWID',
    'TMUX',
    'TMUX_PANE',
    'STY',
    'TERM_SESSION_ID',
  ])('is %s', (name) => {
    expect(isSessionVariable(name)).toBe(true);
  });

  it.each(['HOME', 'PATH', 'TERM', 'XDG_DATA_HOME', 'SSHD', 'MY_DISPLAY', 'DISPLAYS', 'LANG'])(
    'is not %s',
    (name) => {
      expect(isSessionVariable(name)).toBe(false);
    },
  );
});
