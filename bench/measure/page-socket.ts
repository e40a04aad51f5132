// A client of a dashboard that connects as the page does: exchanges the token for the cookie and opens the
// WebSocket.
import { WebSocket } from 'ws';
import { SESSION_PATH, SOCKET_PATH, type FromServer } from '../../src/dashboard/page-messages.ts';

export interface PageSocket {
  readonly close: () => void;
  /** Bytes received so far. */
  readonly bytes: () => number;
}

/** Returns the `Cookie` header for a dashboard. `url`: the URL with the token in its fragment. */
export const cookieFor = async (url: string): Promise<string> => {
  const { origin, hash } = new URL(url);
  const token = hash.replace(/^#(?:token=)?/, '');
  const answer = await fetch(`${origin}${SESSION_PATH}`, {
    method: 'POST',
    body: token,
    headers: { origin },
  });
  const [cookie] = answer.headers.getSetCookie();
  if (cookie === undefined) throw new Error(`the dashboard answered ${answer.status}, without a cookie`);
  return cookie.split(';', 1).join();
};

/** Opens the WebSocket. Resolves when the first message has arrived. */
export const openPageSocket = (
  { url, cookie }: { readonly url: string; readonly cookie: string },
  onMessage: (message: FromServer) => void,
): Promise<PageSocket> =>
  new Promise((resolve, reject) => {
    const { origin } = new URL(url);
    const socket = new WebSocket(`${origin.replace('http', 'ws')}${SOCKET_PATH}`, {
      origin,
      headers: { cookie },
    });
    let bytes = 0;
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => {
      bytes += data.length;
      // Only the dashboard's server sends messages here, so their type is known.
      onMessage(JSON.parse(data.toString()) as FromServer);
      resolve({ close: () => socket.terminate(), bytes: () => bytes });
    });
  });
