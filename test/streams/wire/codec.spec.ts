import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeAnswer } from '../../../src/streams/wire/answers.ts';
import { decodeRequest, encode } from '../../../src/streams/wire/codec.ts';
import { failureOf, helloOf, progressOf, resultOf, viewOf } from '../../../src/streams/wire/messages.ts';

const frame = (fields: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, ...fields });

const acting = (acts: readonly object[]): string =>
  frame({ method: 'command', params: { type: 'acted', acts } });
const SENT = { tag: 'signal', by: 'kill', signal: 'SIGHUP' };
const HUP = { service: 'shop/web', act: SENT };
const spawning = (order: object): string => frame({ method: 'command', params: { type: 'spawn', order } });

describe('a request', () => {
  it.each([
    {
      method: 'command',
      params: { type: 'start', selection: { projects: ['shop'], services: ['web', 'w*'] } },
    },
    {
      method: 'command',
      params: { type: 'start', selection: {}, reading: { files: ['/shop/prod.yaml'], profiles: [] } },
    },
    { method: 'command', params: { type: 'stop', selection: {} } },
    { method: 'command', params: { type: 'start', selection: {}, within: ['shop/*'] } },
    { method: 'command', params: { type: 'restart', selection: {}, withDependents: true, within: ['a'] } },
    { method: 'command', params: { type: 'apply', selection: {}, within: ['web', '*/db'] } },
    { method: 'command', params: { type: 'restart', selection: { manifest: '/shop/sup.yaml' } } },
    { method: 'command', params: { type: 'apply', selection: {} } },
    { method: 'command', params: { type: 'acted', acts: [HUP] } },
    {
      method: 'command',
      params: {
        type: 'acted',
        acts: [
          { service: 'shop/web', act: { tag: 'command', status: { tag: 'code', code: 3 } } },
          { service: 'shop/db', act: { tag: 'command', status: { tag: 'signal', signal: 'SIGKILL' } } },
        ],
      },
    },
    { method: 'command', params: { type: 'forget', manifest: '/shop/sup.yaml' } },
    { method: 'command', params: { type: 'shutdown' } },
    { method: 'command', params: { type: 'called', call: 'status', times: 3 } },
    { method: 'status', params: {} },
    { method: 'inspect', params: { services: ['shop/web'] } },
    { method: 'environment', params: {} },
    { method: 'purge', params: { kinds: ['logs', 'state'] } },
    { method: 'purge', params: { kinds: ['logs'], projects: ['old'] } },
    { method: 'watch', params: { projects: ['shop'] } },
    { method: 'upgrade', params: { node: '/usr/bin/node', program: '/sup/dist/supervisor.js' } },
  ] as const)('the request $method $params survives the wire', ({ method, params }) => {
    const text = encode({ jsonrpc: '2.0', id: 7, method, params });
    expect(decodeRequest(text)).toEqual({ ok: true, request: { id: 7, method, params } });
  });

  it('the origin of a request is one short line, and a value that is no text is ignored', () => {
    const asked = (origin: unknown): unknown => decodeRequest(frame({ method: 'status', origin }));
    expect(asked(' a\u001b[31m\nb\u202e c ')).toMatchObject({ request: { origin: 'a [31m b c' } });
    expect(asked('😀'.repeat(1000))).toMatchObject({ request: { origin: '😀'.repeat(32) } });
    for (const none of ['', ' \n', 7, null, ['x']])
      expect(asked(none)).toEqual({ ok: true, request: { id: 1, method: 'status', params: {} } });
  });

  it('a request for an upgrade may have unknown fields, since the client may be newer', () => {
    const params = { node: '/node', program: '/supervisor.js' };
    const more = frame({ method: 'upgrade', params: { ...params, mood: 'good' } });
    expect(decodeRequest(more)).toMatchObject({ ok: true, request: { params } });
    const relative = frame({ method: 'upgrade', params: { ...params, program: 'supervisor.js' } });
    expect(decodeRequest(relative)).toMatchObject({ ok: false });
    expect(decodeRequest(frame({ method: 'upgrade' }))).toMatchObject({ ok: false });
  });

  it('a request may omit its selection', () => {
    expect(decodeRequest(frame({ method: 'status' }))).toMatchObject({ request: { params: {} } });
    expect(decodeRequest(frame({ method: 'command', params: { type: 'stop' } }))).toMatchObject({
      request: { params: { type: 'stop', selection: {} } },
    });
  });

  it.each([
    ['nonsense', null, 'the frame is not JSON'],
    ['[]', null, 'the frame is not a JSON object'],
    ['null', null, 'the frame is not a JSON object'],
    [frame({ id: 'x' }), null, 'id: "x" is not a whole number'],
    [frame({ id: -1 }), null, 'id: -1 is not a whole number'],
    [frame({ id: undefined }), null, 'id: nothing is not a whole number'],
    [frame({ jsonrpc: '1.0' }), 1, 'jsonrpc: "1.0" is not "2.0"'],
    [frame({ method: 'destroy' }), 1, 'method: "destroy" is not known'],
    [frame({ method: 'toString' }), 1, 'method: "toString" is not known'],
    [frame({ method: 'status', params: [] }), 1, 'params: [] is not an object'],
    [frame({ method: 'status', params: { projct: 'x' } }), 1, 'params: "projct" is not a known key'],
    [frame({ method: 'status', params: { manifest: '' } }), 1, 'params.manifest: is empty'],
    [
      frame({ method: 'status', params: { manifest: 'a\0b' } }),
      1,
      'params.manifest: contains a NUL character',
    ],
    [
      frame({ method: 'status', params: { projects: ['a', 'x'.repeat(5000)] } }),
      1,
      'params.projects.1: is longer than 4096 characters',
    ],
    [frame({ method: 'status', params: { services: 'web' } }), 1, 'params.services: "web" is not a list'],
    [frame({ method: 'status', params: { services: [] } }), 1, 'params.services: is empty'],
    [frame({ method: 'purge', params: { kinds: [] } }), 1, 'params.kinds: is empty'],
    [
      frame({ method: 'purge', params: { kinds: ['all'] } }),
      1,
      'params.kinds: only logs and state are known',
    ],
    [frame({ method: 'purge', params: { kinds: ['logs'], projects: [] } }), 1, 'params.projects: is empty'],
    [
      frame({ method: 'status', params: { services: Array(10_001).fill('a') } }),
      1,
      'params.services: has more than 10000 entries',
    ],
    [frame({ method: 'command' }), 1, 'params: nothing is not an object'],
    [
      frame({ method: 'command', params: { type: 'called', call: 'why', times: 0 } }),
      1,
      'params.times: 0 is not a whole number from 1 to 1000000',
    ],
    [
      frame({ method: 'command', params: { type: 'scale', counts: [] } }),
      1,
      'params.counts: [] is not a list of counts',
    ],
    [
      frame({ method: 'command', params: { type: 'scale', counts: [{ service: 'web', replicas: 0 }] } }),
      1,
      'params.counts.0.replicas: 0 is not a whole number from 1 to 1000',
    ],
    [
      frame({ method: 'command', params: { type: 'explode' } }),
      1,
      'params.type: "explode" is not one of start, stop, restart, apply, rollback, plan, scale, shutdown, forget, spawn, report, acted, called',
    ],
    [
      frame({ method: 'command', params: { type: 'start', selection: { services: [7] } } }),
      1,
      'params.selection.services.0: 7 is not a string',
    ],
    [
      frame({ method: 'command', params: { type: 'start', reading: { profiles: 'dev' } } }),
      1,
      'params.reading.profiles: "dev" is not a list',
    ],
    [
      frame({ method: 'command', params: { type: 'shutdown', selection: {} } }),
      1,
      'params: "selection" is not a known key',
    ],
    [frame({ method: 'command', params: { type: 'forget' } }), 1, 'params.manifest: nothing is not a string'],
    [spawning({ argv: ['a'], uid: 0 }), 1, 'params.order: "uid" is not a known key'],
    [spawning({ argv: [] }), 1, 'params.order.argv: is not a command'],
    [
      spawning({ argv: ['a', 7] }),
      1,
      'params.order.argv: a word is too long, or no text, or contains a NUL character',
    ],
    [
      spawning({ argv: ['a\0b'] }),
      1,
      'params.order.argv: a word is too long, or no text, or contains a NUL character',
    ],
    [
      spawning({ argv: ['a'], name: '../up' }),
      1,
      'params.order.name: "../up" is not a name: letters, digits, _ . -, at most 64',
    ],
    [acting([]), 1, 'params.acts: is not a list of what was done'],
    [acting([{ service: 'web', act: SENT }]), 1, 'params.acts.0.service: "web" is not project/service'],
    [acting([{ service: 'shop/web' }]), 1, 'params.acts.0.act: is not what can be done'],
    [acting([{ ...HUP, act: { ...SENT, by: 'rm' } }]), 1, 'params.acts.0.act: is not what can be done'],
    [acting([{ ...HUP, act: { ...SENT, signal: 'a\nb' } }]), 1, 'params.acts.0.act: is not what can be done'],
    [
      acting([{ ...HUP, act: { tag: 'command', status: 0 } }]),
      1,
      'params.acts.0.act: is not what can be done',
    ],
    [spawning({ argv: ['a'], ttl: 0 }), 1, 'params.order.ttl: 0 is not a length of time'],
  ])('the request %.80s is refused with the rule that it breaks', (text, id, message) => {
    expect(decodeRequest(text)).toMatchObject({ ok: false, id, error: { message } });
  });

  it('a request with any content is decoded or refused, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(typeof decodeRequest(text).ok).toBe('boolean');
        decodeAnswer(text);
      }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('command', 'status', 'inspect', 'watch'),
        fc.jsonValue(),
        (method, params) => {
          const decoded = decodeRequest(frame({ method, params }));
          expect(decoded.ok || decoded.error.message.length > 0).toBe(true);
        },
      ),
    );
  });
});

describe('an answer', () => {
  const hello = { protocol: 1, version: '1', pid: 2, since: 'x' };
  const document = { code: 'ERR0202', message: 'no', path: null, at: null, hint: null } as const;
  const view = { full: false, projects: [], gone: [] };

  it.each([
    [resultOf(3, { watching: true }), { tag: 'result', id: 3, result: { watching: true } }],
    [failureOf(3, document), { tag: 'error', id: 3, error: { code: -32000, message: 'no', data: document } }],
    [helloOf(hello), { tag: 'hello', hello }],
    [helloOf({ ...hello, resumed: 'why' }), { tag: 'hello', hello: { ...hello, resumed: 'why' } }],
    [viewOf(view), { tag: 'view', view }],
    [progressOf('trying'), { tag: 'progress', text: 'trying' }],
  ])('an answer is decoded as it was encoded', (message, answer) => {
    expect(decodeAnswer(encode(message))).toEqual(answer);
  });

  it.each([
    '{}',
    'x',
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","method":"hello","params":{}}',
    '{"jsonrpc":"2.0","method":"news","params":{}}',
  ])('%s is not an answer', (text) => {
    expect(decodeAnswer(text)).toBeUndefined();
  });
});
