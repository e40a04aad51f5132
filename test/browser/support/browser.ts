// The Chromium of a test file: it is started by the first test that needs it.
import { chromium, type Browser } from 'playwright-core';
import { afterAll } from 'vitest';
import { PATIENCE_MS } from '../../scenarios/support/eventually.ts';
import { CHROMIUM } from '../../support/chromium.ts';

/** A name that leads to this machine, as after DNS rebinding. Every other name leads nowhere. */
export const REBOUND = 'rebound.test';

const RULES = `MAP ${REBOUND} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`;

let launched: Promise<Browser> | undefined;

/** Resolves to the Chromium of this test file. */
export const theBrowser = (): Promise<Browser> =>
  (launched ??= chromium.launch({
    executablePath: CHROMIUM,
    timeout: PATIENCE_MS,
    // As root, Chromium refuses to run with its sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [`--host-resolver-rules=${RULES}`],
  }));

afterAll(async () => (await launched)?.close());
