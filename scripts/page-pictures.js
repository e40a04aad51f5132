// Takes pictures of the dashboard, for `npm run pictures`: a real Chromium opens `sup dashboard` of a small
// shop. The database of the shop crashes, its site is released again, and its mailer fails.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const place = mkdtempSync(join(tmpdir(), 'sup-page-pictures-'));
const environment = { PATH: process.env.PATH, HOME: place, SUP_DATA_DIR: join(place, 'data') };
const SUP = join(root, 'dist/sup.js');

/**
 * Returns a program whose use of the processor goes up and down. It also uses memory, and prints lines about
 * orders. `period`: the length of a wave divided by 2π, ms.
 */
const wave = (period) =>
  `const beat=()=>{const until=Date.now()+20+18*Math.sin(Date.now()/${period});while(Date.now()<until);setTimeout(beat,120)};beat();` +
  'let kept=[];setInterval(()=>{kept.push(Buffer.alloc(2e5,1));if(kept.length>60)kept=[]},200);' +
  'let order=4711;setInterval(()=>console.log(`POST /orders/${order+=1} \\u001b[32m201\\u001b[0m in ${10+order%7} ms`),400)';

const MAILER = String.raw`for i in $(seq 14); do echo "mail $i to customer-$i@example.org queued"; sleep 0.2; done
printf '\033[31merror\033[0m connection refused: smtp.shop:25\n' >&2; sleep 30; exit 1`;

const manifest = (release) => ({
  version: '2',
  projects: {
    shop: {
      env: { vars: { RELEASE: release } },
      services: {
        db: { exec: ['sleep', '100000'], stop_timeout: '1s', backoff: '4s', restart_policy: 'always' },
        api: {
          exec: [process.execPath, '-e', wave(2_000)],
          depends_on: ['db'],
          restart_policy: 'always',
        },
        web: {
          exec: [process.execPath, '-e', wave(4_000)],
          deployment: { strategy: 'rolling', grace_period: '5s' },
        },
        mailer: { command: MAILER, restart_policy: 'always', backoff: '40s', max_restarts: 8 },
        importer: {
          command: 'sleep 6; echo "no space left on /srv/import" >&2; exit 3',
          backoff: '9m',
          restart_policy: 'always',
          max_restarts: 8,
        },
        worker: { exec: ['sleep', '100000'], replicas: 3, depends_on: ['api'], stop_timeout: '1s' },
        report: { command: 'true', cron: { expression: '0 3 * * *', timezone: 'utc' } },
      },
    },
  },
});

const declare = (release) =>
  writeFileSync(join(place, 'sup.yaml'), JSON.stringify(manifest(release), undefined, 2));

const sup = (...args) =>
  spawnSync(process.execPath, [SUP, ...args], { cwd: place, env: environment, encoding: 'utf8' });

const pidOf = (service) =>
  JSON.parse(sup('status', '--json').stdout)
    .projects.flatMap(({ services }) => services)
    .find(({ name }) => name === service).pid;

/** Resolves to the URL that the dashboard prints, with its token. */
const urlOf = async (dashboard) => {
  let text = '';
  for await (const more of dashboard.stdout.setEncoding('utf8')) {
    text += more;
    const [url] = /http:\/\/\S+/.exec(text) ?? [];
    if (url !== undefined && text.includes('\n')) return url;
  }
  throw new Error(`sup dashboard printed no URL: ${text}`);
};

const makeHistory = async () => {
  await pause(15_000);
  process.kill(pidOf('db'), 'SIGKILL');
  await pause(15_000);
  sup('restart', 'web');
  await pause(10_000);
};

const takePictures = async (browser, url) => {
  const open = async (size, colorScheme) => {
    const context = await browser.newContext({ viewport: size, colorScheme });
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole('table', { name: 'Services' }).waitFor();
    return page;
  };
  const shoot = (page, name, clip) =>
    page.screenshot({ path: join(root, 'docs/pictures', `dashboard-${name}.png`), ...clip });

  const light = await open({ width: 1200, height: 780 }, 'light');
  const dark = await open({ width: 1200, height: 780 }, 'dark');
  const narrow = await open({ width: 360, height: 740 }, 'light');
  await makeHistory();
  await shoot(light, 'first-glance');
  await shoot(narrow, 'narrow');
  const timeline = light.getByRole('region', { name: 'Timeline' });
  await timeline.getByRole('button', { name: '5 min' }).click();
  await timeline.scrollIntoViewIfNeeded();
  await pause(2_000);
  await timeline.screenshot({ path: join(root, 'docs/pictures/dashboard-timeline.png') });
  await dark.getByText('mailer', { exact: true }).first().click();
  await dark.getByRole('tab', { name: 'Logs' }).click();
  await dark
    .getByRole('textbox', { name: 'Search logs' })
    .or(dark.getByRole('searchbox', { name: 'Search logs' }))
    .fill('refused');
  await dark.getByRole('log').getByText('refused').first().waitFor();
  await shoot(dark, 'logs');
};

/** Makes docs/pictures/dashboard-*.png. Takes a minute. */
export const pagePictures = async () => {
  declare('1');
  sup('start', '--daemonize');
  const dashboard = spawn(process.execPath, [SUP, 'dashboard', '--port', '0'], {
    cwd: place,
    env: environment,
  });
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    chromiumSandbox: process.getuid() !== 0,
  });
  try {
    await takePictures(browser, await urlOf(dashboard));
  } finally {
    await browser.close();
    dashboard.kill();
    await once(dashboard, 'exit');
    sup('shutdown');
    rmSync(place, { recursive: true, force: true });
  }
};
