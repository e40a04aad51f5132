// What no page of the dashboard may ever do, whatever a test is about: ask another machine, show a dialog, open a
// window, log an error, or violate its content security policy.
import type { Page } from 'playwright-core';

export interface Watched {
  /** What has happened so far, in words. */
  readonly complaints: () => readonly string[];
  /** From now on, complaints that match are expected. */
  readonly expect: (pattern: RegExp) => void;
}

/** Chromium reports violations in its console too, but not those of a policy that only reports. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy violated: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))`;

const isOwn = (address: string, origin: string): boolean =>
  address.startsWith(`${origin}/`) || address.startsWith(`${origin.replace('http', 'ws')}/`);

/** Watches the page from now on. `origin`: the only one that it may ask. */
export const watched = async (page: Page, origin: string): Promise<Watched> => {
  const all: string[] = [];
  const expected: RegExp[] = [];
  await page.addInitScript(REPORT_VIOLATIONS);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      all.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => all.push(`uncaught: ${error.stack ?? error.message}`));
  page.on('popup', (popup) => all.push(`a window: ${popup.url()}`));
  page.on('dialog', (dialog) => {
    all.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!isOwn(request.url(), origin)) all.push(`a request: ${request.url()}`);
  });
  page.on('websocket', (socket) => {
    if (!isOwn(socket.url(), origin)) all.push(`a connection: ${socket.url()}`);
  });
  return {
    complaints: () => all.filter((text) => !expected.some((pattern) => pattern.test(text))),
    expect: (pattern) => void expected.push(pattern),
  };
};
