import { describe, expect, it } from 'vitest';
import { loadText, manifestOf, serviceWith, toldOf, wrongWith } from '../loading.ts';
import { satisfies, whyNot } from '../satisfying.ts';

const listening = (listen: string): unknown =>
  serviceWith(`sockets: [{ name: http, listen: ${listen} }]`).sockets?.[0]?.listen;

describe('the key sockets', () => {
  it.each([
    ['8080', { tag: 'tcp', host: '0.0.0.0', port: 8080 }],
    ['"127.0.0.1:80"', { tag: 'tcp', host: '127.0.0.1', port: 80 }],
    ['"[::1]:443"', { tag: 'tcp', host: '::1', port: 443 }],
    ['/run/web.sock', { tag: 'unix', path: '/run/web.sock' }],
  ])('sockets listen at %s', (written, listen) => {
    expect(listening(written)).toEqual(listen);
  });

  it('sockets resolve a path from the directory of the manifest', () => {
    expect(listening('unix:run/web.sock')).toMatchObject({ tag: 'unix' });
    expect(JSON.stringify(listening('unix:run/web.sock'))).toMatch(/"path":"\/.*\/run\/web.sock"/);
  });

  it('sockets have a backlog', () => {
    const { sockets } = serviceWith(
      'sockets: [{ name: http, listen: 80, backlog: 9 }, { name: b, listen: 81 }]',
    );
    expect(sockets?.map(({ backlog }) => backlog)).toEqual([9, 511]);
    expect(wrongWith('sockets: [{ name: http, listen: 80, backlog: 2147483648 }]')).toEqual([
      'ERR0213 sockets[0].backlog: 2147483648 is not a whole number from 1 to 2147483647',
    ]);
  });

  it.each(['"a:b"', '"a\\nb"', 'ä', '""', 'x'.repeat(256)])('sockets refuse the name %s', (name) => {
    expect(wrongWith(`sockets: [{ name: ${name}, listen: 80 }]`)).toMatchObject([
      expect.stringMatching(/^ERR0213 sockets\[0\]\.name: .* is not a socket name/),
    ]);
  });

  const FORMS = 'is not a port, address:port, [address]:port, /path or unix:path';

  it.each([
    ...['-1', '80.5', 'true', '""'].map((bare) => [bare, `${bare} ${FORMS}`]),
    ...['0', '65536', '99999', '100000', '"0"', '":0"', '"127.0.0.1:0"', '"[::1]:65536"'].map((text) => [
      text,
      `${text} names port ${/\d+(?="?$)/.exec(text)?.[0] ?? ''}, but ports go from 1 to 65535`,
    ]),
    ...['localhost:80', '1.2.3:80', '1.2.3.256:80', '::1:80'].map((text) => [
      `"${text}"`,
      `"${text}" ${FORMS}`,
    ]),
    ['"unix:"', '"unix:" names no path'],
    ['"unix: "', '"unix: " names no path'],
  ])('sockets refuse the address %s, as the schema does', (listen, told) => {
    const text = manifestOf(`sockets: [{ name: http, listen: ${listen} }]`);
    expect(toldOf(loadText(text).problems)).toEqual([`ERR0213 services.web.sockets[0].listen: ${told}`]);
    expect(satisfies(text)).toBe(false);
  });

  it.each(['80', '"080"', '":80"', '"0.0.0.0:65535"', '"[::1]:1"', '/s', '"unix:s"', '"${P:-80}"'])(
    'sockets accept the address %s, as the schema does',
    (listen) => {
      const text = manifestOf(`sockets: [{ name: http, listen: ${listen} }]`);
      expect(loadText(text).problems).toEqual([]);
      expect(satisfies(text), whyNot()).toBe(true);
    },
  );

  it.each(['"/a\\0b"', '"unix:a\\0b"'])('sockets refuse a path with a NUL: %s', (listen) => {
    expect(wrongWith(`sockets: [{ name: http, listen: ${listen} }]`)).toEqual([
      `ERR0213 sockets[0].listen: ${listen.replace('\\0', '\\x00')} contains a NUL character`,
    ]);
  });

  it('sockets accept a path up to the length limit of the kernel', () => {
    const longest = `/${'é'.repeat(53)}`;
    expect(wrongWith(`sockets: [{ name: http, listen: ${longest} }]`)).toEqual([]);
    expect(wrongWith(`sockets: [{ name: http, listen: ${longest}x }]`)).toEqual([
      'ERR0213 sockets[0].listen: the path has 108 bytes from / on; that of a socket has 107 at the most',
    ]);
  });

  it('sockets count the length of a path from the directory of the manifest', () => {
    const [told] = loadText(
      manifestOf(`sockets: [{ name: http, listen: "unix:${'x'.repeat(107)}" }]`),
    ).problems;
    expect(told).toMatchObject({ code: 'ERR0213', line: 5, column: 37 });
    expect(told?.message).toMatch(/^the path has \d{3} bytes from \/ on/);
  });

  it.each([
    ['{ name: a, listen: 80 }, { name: a, listen: 81 }', 'name', '"a"'],
    ['{ name: a, listen: 80 }, { name: b, listen: "0.0.0.0:80" }', 'listen', '"0.0.0.0:80"'],
    ['{ name: a, listen: "unix:x/../s" }, { name: b, listen: "unix:s" }', 'listen', '"unix:s"'],
  ])('sockets refuse two equal addresses: %s', (entries, key, value) => {
    const told = wrongWith(`sockets: [${entries}]`);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(`ERR0213 sockets[1].${key}: ${value} stands at services.web.sockets[0].${key}`);
    expect(told[0]).toMatch(/ already, .*sup\.yaml:\d+:\d+$/);
  });

  it.each([
    ['NOTIFY_SOCKET', 'notify: true', 'notify'],
    ['WATCHDOG_USEC', 'notify: true, liveness: { watchdog: 5s }', 'liveness.watchdog'],
  ])('a health check that sets %s overrides env, and excludes a secret of that name', (name, fields, key) => {
    const check = `deployment: { health_check: { ${fields} } }`;
    const path = `services.web.deployment.health_check.${key}`;
    expect(toldOf(loadText(manifestOf(`env: { vars: { ${name}: x } }\n${check}`)).problems)).toEqual([
      `ERR0223 ${path}: ${name} of env has no effect: this key sets it`,
    ]);
    expect(
      toldOf(loadText(manifestOf(`env: { secrets: { ${name}: { file: x } } }\n${check}`)).problems),
    ).toEqual([`ERR0222 ${path}: ${name} is in env.secrets, and this key sets it`]);
  });

  it.each(['2', '3'])('sockets override variables of env, with a warning, under version %s', (version) => {
    const fields =
      'sockets: [{ name: http, listen: 80 }]\nenv: { vars: { LISTEN_FDS: 3, LISTEN_FDNAMES: x, A: b } }';
    const { manifest, problems } = loadText(manifestOf(fields, version));
    expect(manifest).toBeDefined();
    expect(toldOf(problems)).toEqual(
      ['LISTEN_FDS', 'LISTEN_FDNAMES'].map(
        (name) => `ERR0223 services.web.sockets: ${name} of env has no effect: this key sets it`,
      ),
    );
    expect(loadText(manifestOf('env: { vars: { LISTEN_FDS: 3 } }')).problems).toEqual([]);
  });

  const twoWith = (listens: readonly string[], more = ''): readonly string[] =>
    toldOf(
      loadText(
        `version: 2\nprojects:\n${listens
          .map(
            (listen, n) =>
              `  p${n}: { services: { web: { command: run, sockets: [{ name: a, listen: ${listen} }]${n === 1 ? more : ''} } } }\n`,
          )
          .join('')}`,
      ).problems,
    );

  it.each([
    ['80', '"0.0.0.0:80"'],
    ['"unix:x/../s"', '"unix:s"'],
  ])('sockets of two services with the same address are a warning: %s and %s', (one, other) => {
    const told = twoWith([one, other]);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(
      `ERR0222 projects.p1.services.web.sockets[0].listen: ${other} stands at projects.p0.services.web.sockets[0].listen already`,
    );
    expect(told[0]).toMatch(/sup\.yaml:3:\d+; only one of them can be up at a time$/);
  });

  it('sockets of two services with different addresses, or one of them skipped, are no warning', () => {
    expect(twoWith(['80', '81'])).toEqual([]);
    expect(twoWith(['80', '"127.0.0.1:81"', '"[::1]:80"'])).toEqual([]);
    expect(twoWith(['80', '80'], ', skip: true')).toEqual([]);
  });

  it('sockets of different families may share a port', () => {
    expect(wrongWith('sockets: [{ name: a, listen: 80 }, { name: b, listen: "[::1]:80" }]')).toEqual([]);
  });
});
