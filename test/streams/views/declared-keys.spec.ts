import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { declaredKeys } from '../../../src/streams/views/declared-keys.ts';
import { loadText, manifestOf, serviceWith } from '../../manifest/loading.ts';

it('a service that declares nothing more than its command has no declared keys', () => {
  const { manifest } = loadText(manifestOf('command: x'));
  expect(manifest?.services.map(declaredKeys)).toEqual([{}]);
});

it('declared keys have their values as in a manifest, without keys that inspect shows elsewhere', () => {
  const spec = serviceWith(
    [
      'max_memory: 1k\nstop_command: pg --password hunter2\nwatch: { paths: [/srv], debounce: 1s }',
      'success_exit_codes: [3, TERM]\nstop_timeout: 5s\nenv: { vars: { A: 1 }, secrets: { B: { file: /b } } }',
      'hooks: { onstart: { command: x } }\ndeployment: { strategy: rolling, health_check: { tcp: 80 } }',
    ].join('\n'),
  );
  expect(declaredKeys(spec)).toEqual({
    'deployment.strategy': 'rolling',
    'env.secrets.B.file': '/b',
    max_memory: '1024',
    max_memory_for: '30s',
    stop_command: 'pg --password ***',
    stop_timeout: '5s',
    success_exit_codes: '[3,"SIGTERM"]',
    'watch.action': 'restart',
    'watch.debounce': '1s',
    'watch.paths': '["/srv"]',
  });
});

it('every key of a service is a declared key, or another part of the document of inspect shows it', () => {
  const text = readFileSync('test/corpus/good/every-service-key.yaml', 'utf8');
  const { manifest } = loadText(text);
  const web = manifest?.services.find(({ name }) => name === 'web');
  const tops = new Set(
    Object.keys(web === undefined ? {} : declaredKeys(web)).map((key) => key.split('.')[0]),
  );
  const keys = [...text.slice(text.indexOf('  web:')).matchAll(/^ {4}(\w+):/gm)].map(([, key = '']) => key);
  const elsewhere = ['exec', 'working_dir', 'depends_on', 'hooks'];
  expect(keys.length).toBeGreaterThan(24);
  expect(keys.filter((key) => !tops.has(key) && !elsewhere.includes(key))).toEqual([]);
});
