// `npm run pictures`: makes docs/pictures/*.svg from the output of the built program on a pseudoterminal
// (`script` of util-linux), and *.png of the dashboard. The services of a small shop run for half a minute;
// one of them fails.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pagePictures } from './page-pictures.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const place = mkdtempSync(join(tmpdir(), 'sup-pictures-'));
const environment = { PATH: process.env.PATH, HOME: place, TERM: 'xterm', SUP_DATA_DIR: join(place, 'data') };
const sup = (...args) => [process.execPath, join(root, 'dist/sup.js'), ...args];

const WAVE =
  'const beat=()=>{const until=Date.now()+40+35*Math.sin(Date.now()/4e3);while(Date.now()<until);setTimeout(beat,120)};beat();let kept=[];setInterval(()=>{kept.push(Buffer.alloc(2e5,1));if(kept.length>60)kept=[]},200)';
const MANIFEST = {
  version: '2',
  status: { snapshot_interval_secs: 1 },
  projects: {
    shop: {
      services: {
        web: { exec: [process.execPath, 'web.js'] },
        api: { exec: [process.execPath, 'api.js'], depends_on: ['db'] },
        db: { exec: ['sleep', '1000'], stop_timeout: '1s' },
        mailer: {
          command:
            'sleep 4; echo "mail queue: 3 waiting"; echo "error: connection refused: smtp.shop:25"; exit 1',
          backoff: '3s',
        },
        report: { command: 'true', cron: { expression: '0 3 * * *', timezone: 'utc' } },
      },
    },
  },
};

const run = (...args) => {
  const [program, ...rest] = sup(...args);
  return spawnSync(program, rest, { cwd: place, env: environment, encoding: 'utf8' });
};

/**
 * Resolves to the output of the program on a terminal of this size. `played` types input and ends the
 * program.
 */
const onTerminal = async (args, { columns, rows }, played) => {
  const line = `stty cols ${columns} rows ${rows}; exec ${sup(...args).join(' ')}`;
  const child = spawn('script', ['-qfec', line, '/dev/null'], { cwd: place, env: environment });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more) => (text += more));
  const ended = new Promise((settle) => child.on('close', settle));
  await played?.(child.stdin);
  await ended;
  return text;
};

const INKS = { 31: '#f7768e', 32: '#9ece6a', 33: '#e0af68', 34: '#7aa2f7', 36: '#7dcfff' };
const [WIDE, HIGH, EDGE] = [8.4, 18, 14];
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Returns one terminal line as SVG text elements. */
const piecesOf = (line, y) => {
  let [column, style] = [0, ''];
  return (
    line
      // eslint-disable-next-line no-control-regex -- escape codes are exactly what is read
      .split(/(\u001b\[\d*m)/)
      .map((part) => {
        // eslint-disable-next-line no-control-regex -- as above
        const code = /^\u001b\[(\d*)m$/.exec(part)?.[1];
        if (code !== undefined) {
          style = INKS[code]
            ? `fill="${INKS[code]}"`
            : ({ 1: 'font-weight="bold"', 2: 'opacity="0.6"', 7: 'fill="#e0af68" font-weight="bold"' }[
                code
              ] ?? '');
          return '';
        }
        const x = (EDGE + column * WIDE).toFixed(1);
        column += part.length;
        if (part.trim() === '') return '';
        const width = (part.length * WIDE).toFixed(1);
        return `<text x="${x}" y="${y}" textLength="${width}" lengthAdjust="spacing" ${style}>${escaped(part)}</text>`;
      })
      .join('')
  );
};

const picture = (name, lines, columns) => {
  const [width, height] = [columns * WIDE + 2 * EDGE, lines.length * HIGH + 2 * EDGE];
  const body = lines.map((line, row) => piecesOf(line, EDGE + (row + 0.75) * HIGH)).filter(Boolean);
  writeFileSync(
    join(root, 'docs/pictures', `${name}.svg`),
    [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
      `<rect width="100%" height="100%" rx="8" fill="#1a1b26"/>`,
      `<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="#c0caf5" xml:space="preserve">`,
      ...body,
      '</g>',
      '</svg>',
      '',
    ].join('\n'),
  );
};

const linesOf = (text) => text.trimEnd().replaceAll(place, '/srv/shop').split(/\r*\n/);
/** Returns the lines of the last screen before the program ends. The output names the row of each line. */
const lastPage = (text) => {
  const rows = [];
  // eslint-disable-next-line no-control-regex -- the place of a line is an escape sequence
  for (const [, row, line] of text.matchAll(/\u001b\[(\d+);1H\u001b\[K([^]*?)(?=\u001b\[(?:\d+;1H|\?7h)|$)/g))
    rows[Number(row) - 1] = line;
  return linesOf(rows.join('\n'));
};

try {
  mkdirSync(join(root, 'docs/pictures'), { recursive: true });
  writeFileSync(join(place, 'sup.yaml'), JSON.stringify(MANIFEST, undefined, 2));
  writeFileSync(join(place, 'web.js'), WAVE);
  writeFileSync(join(place, 'api.js'), WAVE.replace('4e3', '2e3'));
  run('start', '--daemonize');
  const watched = await onTerminal(['status', '--watch'], { columns: 130, rows: 20 }, async (stdin) => {
    await pause(30_000);
    stdin.write('jk');
    await pause(2_000);
    stdin.end('q');
  });
  picture('watch', lastPage(watched), 130);
  const searched = await onTerminal(['status', '--watch'], { columns: 110, rows: 20 }, async (stdin) => {
    await pause(2_000);
    for (const keys of ['/ml\r', 'l', '/refused\r', 'N']) {
      stdin.write(keys);
      await pause(1_000);
    }
    stdin.end('q');
  });
  picture('watch-logs', lastPage(searched), 110);
  picture('status', linesOf(await onTerminal(['status'], { columns: 110, rows: 40 })), 110);
  picture(
    'inspect',
    linesOf(await onTerminal(['inspect', 'web', '--window', '30s'], { columns: 100, rows: 60 })),
    100,
  );
} finally {
  run('shutdown');
  rmSync(place, { recursive: true, force: true });
}

await pagePictures();
