// The session of the browser: the token of the link is exchanged for a cookie.
import { SESSION_PATH, SOCKET_PATH } from '../../page-messages.ts';

const TOKEN = /^#(?:token=)?([A-Za-z0-9_-]{16,})$/;
const UNAUTHORIZED = 401;

/**
 * Loads the page again if a new link is opened in its tab. The browser itself would not load it, because only
 * the fragment of the URL differs.
 */
export const enterByNewLinks = (): void =>
  addEventListener('hashchange', () => {
    if (TOKEN.test(location.hash)) location.reload();
  });

/**
 * Exchanges the token in the URL for the cookie, if the URL has a token. Removes the token from the address
 * bar and the history. Resolves to false if the server knows no session of this browser.
 */
export const enter = async (): Promise<boolean> => {
  const [, token] = TOKEN.exec(location.hash) ?? [];
  if (token === undefined) return true;
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  try {
    const { ok } = await fetch(SESSION_PATH, { method: 'POST', body: token });
    // If the token was refused, the cookie from an earlier link of this server may still be valid.
    return ok || !(await isRefused());
  } catch {
    return true;
  }
};

/** Resolves to true if the server answers and knows no session of this browser. */
export const isRefused = async (): Promise<boolean> => {
  try {
    const { status } = await fetch(SOCKET_PATH);
    return status === UNAUTHORIZED;
  } catch {
    return false;
  }
};
